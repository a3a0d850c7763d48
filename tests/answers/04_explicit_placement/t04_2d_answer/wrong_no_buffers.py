# reason: drops the buffers and keeps the list
# fails: t04_2d_test
# Task 4.2d: repair TwoScales
class TwoScales(nn.Module):
    def __init__(self, near, far):
        super().__init__()
        self.scales = [torch.tensor(near), torch.tensor(far)]

    def forward(self, x):
        return sum(torch.tanh(x * scale) for scale in self.scales)
