# reason: registers all layers under one name, so only the last is left
# fails: t04_2b_test
# Task 4.2b: repair Tower
class Tower(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = []
        for _ in range(depth):
            self.layer = nn.Linear(width, width)
            self.layers.append(self.layer)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x
