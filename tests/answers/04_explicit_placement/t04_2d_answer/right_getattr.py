# Task 4.2d: repair TwoScales
class TwoScales(nn.Module):
    names = "near", "far"

    def __init__(self, near, far):
        super().__init__()
        for name, numbers in zip(self.names, (near, far), strict=True):
            self.register_buffer(name, torch.tensor(numbers))

    def forward(self, x):
        return sum(torch.tanh(x * getattr(self, name)) for name in self.names)
