# reason: keeps a mask on the CPU and copies it in each call
# fails: t04_2j_test
# Task 4.2j: repair Causal
class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = torch.ones(16, 16, dtype=torch.bool).triu(1)

    def forward(self, scores):
        size = scores.shape[-1]
        return scores.masked_fill(self.mask[:size, :size].to(scores.device), float("-inf"))
