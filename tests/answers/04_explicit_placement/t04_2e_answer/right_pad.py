# Task 4.2e: repair PadFront
class PadFront(nn.Module):
    def forward(self, x):
        return nn.functional.pad(x, (1, 0))
