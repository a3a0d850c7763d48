# reason: makes the numbers on the CPU and copies them
# fails: t04_1_test_a
# says: copies
# Task 4.1: a linear layer with factory arguments
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        b = in_features**-0.5
        self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-b, b).to(device, dtype))
        self.register_parameter("bias", nn.Parameter(torch.empty(out_features).uniform_(-b, b).to(device, dtype)) if bias else None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)
