# Task 4.2i: repair Distance
class Distance(nn.Module):
    def forward(self, scores):
        place = torch.arange(scores.shape[-1], device=scores.device)
        return scores - (place[:, None] - place).abs().to(scores.dtype) / 2
