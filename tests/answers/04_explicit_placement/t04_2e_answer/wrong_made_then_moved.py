# reason: makes the zeros on the CPU and copies them in each call
# fails: t04_2e_test
# Task 4.2e: repair PadFront
class PadFront(nn.Module):
    def forward(self, x):
        return torch.cat([torch.zeros(x.shape[0], 1).to(x), x], dim=1)
