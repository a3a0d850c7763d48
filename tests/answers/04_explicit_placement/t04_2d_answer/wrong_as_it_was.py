# reason: .to() puts new tensors into the buffers, and the list keeps the old ones
# fails: t04_2d_test
# Task 4.2d: repair TwoScales
class TwoScales(nn.Module):
    """Looks at its input on two scales."""

    def __init__(self, near, far):  # two lists of numbers
        super().__init__()
        self.register_buffer("near", torch.tensor(near))
        self.register_buffer("far", torch.tensor(far))
        self.scales = [self.near, self.far]  # to loop over them

    def forward(self, x):  # (B, features)
        return sum(torch.tanh(x * scale) for scale in self.scales)
