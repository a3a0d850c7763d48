# reason: names the device but not the dtype, so that a float16 input becomes float32
# fails: t04_2e_test
# Task 4.2e: repair PadFront
class PadFront(nn.Module):
    def forward(self, x):
        return torch.cat([torch.zeros(x.shape[0], 1, device=x.device), x], dim=1)
