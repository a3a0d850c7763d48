# Task 5.1: repair UnrolledWhile
class IterationLayer(nn.Module):
    def forward(self, left, x):
        active = (left.sum() > 0).to(left.dtype)  # 0 or 1: no step, or one
        return left - active, x * (1 + active).to(x.dtype)


class UnrolledWhile(nn.Module):
    def __init__(self, num_layers):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(IterationLayer())

    def forward(self, left, x):
        state = (left, x)
        for layer in self.layers:
            state = layer(*state)
        return (*state, state[0].sum() < 1)
