# reason: asks each element of the counter, where the sum decides for all together
# fails: t05_1_test_values
# Task 5.1: repair UnrolledWhile
class IterationLayer(nn.Module):
    def forward(self, left, x):
        is_active = left > 0
        return torch.where(is_active, left - 1, left), torch.where(is_active.any(), x * 2, x)


class UnrolledWhile(nn.Module):
    def __init__(self, num_layers):
        super().__init__()
        self.layers = nn.ModuleList([IterationLayer() for _ in range(num_layers)])

    def forward(self, left, x):
        for layer in self.layers:
            left, x = layer(left, x)
        return left, x, left.sum() <= 0
