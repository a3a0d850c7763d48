# Task 4.2b: repair Tower
class Tower(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.depth = depth
        for n in range(depth):
            self.add_module(f"layer{n}", nn.Linear(width, width))

    def forward(self, x):
        for n in range(self.depth):
            x = getattr(self, f"layer{n}")(x).relu()
        return x
