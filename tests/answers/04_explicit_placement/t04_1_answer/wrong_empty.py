# reason: starts with zeros
# fails: t04_1_test_b
# Task 4.1: a linear layer with factory arguments
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(out_features, in_features, device=device, dtype=dtype))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features, device=device, dtype=dtype)) if bias else None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)
