# Task 4.2e: repair PadFront
class PadFront(nn.Module):
    def forward(self, x):
        longer = torch.zeros(x.shape[0], x.shape[1] + 1, device=x.device, dtype=x.dtype)
        longer[:, 1:] = x
        return longer
