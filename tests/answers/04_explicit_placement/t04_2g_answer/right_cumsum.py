# Task 4.2: the repair bank, Position
class Position(nn.Module):
    def forward(self, x):
        return x + torch.ones_like(x).cumsum(1) - 1
