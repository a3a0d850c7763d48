# reason: remembers a device when it is made, and is moved later
# fails: t04_2g_test
# Task 4.2g: repair Position
class Position(nn.Module):
    def __init__(self, device="cpu"):
        super().__init__()
        self.device = device

    def forward(self, x):
        return x + torch.arange(x.shape[1], device=self.device)
