# Task 4.2b: repair Tower
class Tower(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        parts = []
        for _ in range(depth):
            parts += [nn.Linear(width, width), nn.ReLU()]
        self.layers = nn.Sequential(*parts)

    def forward(self, x):
        return self.layers(x)
