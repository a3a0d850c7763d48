# Task 4.2g: repair Position
class Position(nn.Module):
    def forward(self, x):
        return x + torch.ones_like(x).cumsum(1) - 1
