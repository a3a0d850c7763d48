# Task 4.2: the repair bank, PadFront
class PadFront(nn.Module):
    def forward(self, x):
        return nn.functional.pad(x, (1, 0))
