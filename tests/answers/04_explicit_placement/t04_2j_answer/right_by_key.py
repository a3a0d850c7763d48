# Task 4.2j: repair Causal
class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.masks = {}

    def forward(self, scores):
        key = scores.shape[-1], scores.device
        if key not in self.masks:
            place = torch.arange(key[0], device=scores.device)
            self.masks[key] = place > place[:, None]
        return scores.masked_fill(self.masks[key], float("-inf"))
