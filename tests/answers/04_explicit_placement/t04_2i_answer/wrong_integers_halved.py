# reason: 0.5 times integers is float32 again
# fails: t04_2i_test
# Task 4.2i: repair Distance
class Distance(nn.Module):
    def forward(self, scores):
        place = torch.arange(scores.shape[-1], device=scores.device)
        return scores - 0.5 * (place[:, None] - place).abs()
