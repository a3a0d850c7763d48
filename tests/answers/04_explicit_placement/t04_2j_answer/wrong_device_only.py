# reason: looks at the device and not at the size
# fails: t04_2j_test
# Task 4.2j: repair Causal
class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, scores):
        size = scores.shape[-1]
        if self.mask is None or self.mask.device != scores.device:
            self.mask = torch.ones(size, size, dtype=torch.bool, device=scores.device).triu(1)
        return scores.masked_fill(self.mask, float("-inf"))
