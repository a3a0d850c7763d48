# reason: moves the layers in forward: the optimizer still does not see them
# fails: t04_2b_test
# Task 4.2b: repair Tower
class Tower(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = [nn.Linear(width, width) for _ in range(depth)]

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer.to(x.device)(x))
        return x
