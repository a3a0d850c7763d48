# Task 4.2d: repair TwoScales
class TwoScales(nn.Module):
    def __init__(self, near, far):
        super().__init__()
        self.register_buffer("near", torch.tensor(near))
        self.register_buffer("far", torch.tensor(far))

    @property
    def scales(self):
        return [self.near, self.far]

    def forward(self, x):
        return sum(torch.tanh(x * scale) for scale in self.scales)
