# reason: the mask keeps its first size and its first device
# fails: t04_2j_test
# Task 4.2j: repair Causal
class Causal(nn.Module):
    """Each row may look back and not ahead: what is right of the diagonal becomes minus infinity."""

    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, scores):  # (B, T, T)
        if self.mask is None:
            size = scores.shape[-1]
            self.mask = torch.ones(size, size, dtype=torch.bool, device=scores.device).triu(1)
        return scores.masked_fill(self.mask, float("-inf"))
