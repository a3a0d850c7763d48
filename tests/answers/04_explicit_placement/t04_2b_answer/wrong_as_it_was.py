# reason: PyTorch does not look into a Python list
# fails: t04_2b_test
# Task 4.2b: repair Tower
class Tower(nn.Module):
    """`depth` linear layers, each followed by relu."""

    def __init__(self, width, depth):
        super().__init__()
        self.layers = [nn.Linear(width, width) for _ in range(depth)]

    def forward(self, x):  # (B, width)
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x
