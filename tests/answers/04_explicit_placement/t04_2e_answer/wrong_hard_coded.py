# reason: names one device for all
# fails: t04_2e_test
# Task 4.2e: repair PadFront
class PadFront(nn.Module):
    def forward(self, x):
        return torch.cat([torch.zeros(x.shape[0], 1, device="sim:0", dtype=x.dtype), x], dim=1)
