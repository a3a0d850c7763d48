# reason: torch.zeros without a device is on the CPU
# fails: t04_2e_test
# Task 4.2e: repair PadFront
class PadFront(nn.Module):
    """Put a column of zeros in front."""

    def forward(self, x):  # (B, T)
        start = torch.zeros(x.shape[0], 1)
        return torch.cat([start, x], dim=1)  # (B, 1 + T)
