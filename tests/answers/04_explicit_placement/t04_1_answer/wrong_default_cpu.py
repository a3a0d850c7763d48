# reason: None becomes the CPU, whatever the user's defaults are
# fails: t04_1_test_a
# Task 4.1: a linear layer with factory arguments
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        kwargs = {"device": device or "cpu", "dtype": dtype or torch.float32}
        b = in_features**-0.5
        self.weight = nn.Parameter(torch.empty(out_features, in_features, **kwargs).uniform_(-b, b))
        self.register_parameter("bias", nn.Parameter(torch.empty(out_features, **kwargs).uniform_(-b, b)) if bias else None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)
