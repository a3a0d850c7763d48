# reason: forgets the device of the bias
# fails: t04_1_test_a
# Task 4.1: a linear layer with factory arguments
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        b = in_features**-0.5
        self.weight = nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype).uniform_(-b, b))
        self.register_parameter("bias", nn.Parameter(torch.empty(out_features).uniform_(-b, b)) if bias else None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)
