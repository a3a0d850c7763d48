# reason: an if on a tensor reads its value, so the host waits in every layer
# fails: t05_1_test_converged
# says: expected exactly 0 waits
# Task 5.1: repair UnrolledWhile
class IterationLayer(nn.Module):
    def forward(self, left, x):
        if left.sum() > 0:
            return left - 1, x * 2
        return left, x


class UnrolledWhile(nn.Module):
    def __init__(self, num_layers):
        super().__init__()
        self.layers = nn.ModuleList([IterationLayer() for _ in range(num_layers)])

    def forward(self, left, x):
        for layer in self.layers:
            left, x = layer(left, x)
        return left, x, left.sum() <= 0
