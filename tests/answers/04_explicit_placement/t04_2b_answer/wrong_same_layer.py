# reason: the list repeats one layer, so all steps share one weight
# fails: t04_2b_test
# Task 4.2b: repair Tower
class Tower(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)] * depth)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x
