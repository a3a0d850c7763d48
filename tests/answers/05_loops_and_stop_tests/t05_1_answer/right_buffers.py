# Task 5.1: repair UnrolledWhile
class IterationLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("zero", torch.tensor(0))
        self.register_buffer("one", torch.tensor(1))
        self.register_buffer("two", torch.tensor(2.0))

    def forward(self, left, x):
        is_active = torch.gt(torch.sum(left), self.zero)
        fewer, doubled = torch.sub(left, self.one), torch.mul(x, self.two)
        return torch.where(is_active, fewer, left), torch.where(is_active, doubled, x)


class UnrolledWhile(nn.Module):
    def __init__(self, num_layers):
        super().__init__()
        self.layers = nn.ModuleList([IterationLayer() for _ in range(num_layers)])

    def forward(self, left, x):
        for layer in self.layers:
            left, x = layer(left, x)
        return left, x, torch.logical_not(left.sum() > 0)
