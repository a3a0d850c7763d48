# reason: takes the bound from out_features
# fails: t04_1_test_b
# Task 4.1: a linear layer with factory arguments
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        b = out_features**-0.5
        self.weight = nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype).uniform_(-b, b))
        self.register_parameter("bias", nn.Parameter(torch.empty(out_features, device=device, dtype=dtype).uniform_(-b, b)) if bias else None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)
