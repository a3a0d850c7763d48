# reason: makes the places on the CPU and copies them in each call
# fails: t04_2g_test
# Task 4.2g: repair Position
class Position(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.shape[1]).to(x.device)
