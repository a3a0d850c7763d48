# Task 4.2g: repair Position
class Position(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.shape[1], device=x.device, dtype=x.dtype)
