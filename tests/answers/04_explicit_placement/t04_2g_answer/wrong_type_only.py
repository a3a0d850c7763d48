# reason: keeps the type of the device and loses its number
# fails: t04_2g_test
# Task 4.2g: repair Position
class Position(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.shape[1], device=x.device.type)
