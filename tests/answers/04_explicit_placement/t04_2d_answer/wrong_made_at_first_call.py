# reason: the list is made at the first call, and keeps what was there then
# fails: t04_2d_test
# Task 4.2d: repair TwoScales
class TwoScales(nn.Module):
    def __init__(self, near, far):
        super().__init__()
        self.register_buffer("near", torch.tensor(near))
        self.register_buffer("far", torch.tensor(far))
        self.scales = None

    def forward(self, x):
        if self.scales is None:
            self.scales = [self.near, self.far]
        return sum(torch.tanh(x * scale) for scale in self.scales)
