# reason: the module asks a global variable where its input is
# fails: t04_2g_test
# Task 4.2g: repair Position
DEVICE = sim  # at the top of the file, for everybody


class Position(nn.Module):
    """Add to each value its place in the sequence: 0, 1, 2 ..."""

    def forward(self, x):  # (B, T)
        return x + torch.arange(x.shape[1], device=DEVICE)
