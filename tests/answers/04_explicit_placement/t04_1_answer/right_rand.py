# Task 4.1: a linear layer with factory arguments
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        b = in_features**-0.5
        self.weight = nn.Parameter((torch.rand(out_features, in_features, device=device, dtype=dtype) * 2 - 1) * b)
        self.bias = nn.Parameter((torch.rand(out_features, device=device, dtype=dtype) * 2 - 1) * b) if bias else None
        if not bias:
            del self.bias
            self.register_parameter("bias", None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)
