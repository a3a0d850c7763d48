# reason: takes every step, also after the end, so layers that are not needed change the result
# fails: t05_1_test_values
# Task 5.1: repair UnrolledWhile
class IterationLayer(nn.Module):
    def forward(self, left, x):
        return left - 1, x * 2


class UnrolledWhile(nn.Module):
    def __init__(self, num_layers):
        super().__init__()
        self.layers = nn.ModuleList([IterationLayer() for _ in range(num_layers)])

    def forward(self, left, x):
        for layer in self.layers:
            left, x = layer(left, x)
        return left, x, left.sum() <= 0
