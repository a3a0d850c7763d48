# reason: the list stays on the CPU and is copied in each call
# fails: t04_2d_test
# Task 4.2d: repair TwoScales
class TwoScales(nn.Module):
    def __init__(self, near, far):
        super().__init__()
        self.register_buffer("near", torch.tensor(near))
        self.register_buffer("far", torch.tensor(far))
        self.scales = [self.near, self.far]

    def forward(self, x):
        return sum(torch.tanh(x * scale.to(x)) for scale in self.scales)
