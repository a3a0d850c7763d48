# reason: float32 and float16 give float32
# fails: t04_2i_test
# Task 4.2i: repair Distance
class Distance(nn.Module):
    """Lower each score by half the distance between its row and its column."""

    def forward(self, scores):  # (B, T, T)
        place = torch.arange(scores.shape[-1], device=scores.device, dtype=torch.float32)
        return scores - 0.5 * (place[:, None] - place).abs()
