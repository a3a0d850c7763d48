# reason: converts the result to float16, whatever came in
# fails: t04_2i_test
# Task 4.2i: repair Distance
class Distance(nn.Module):
    def forward(self, scores):
        place = torch.arange(scores.shape[-1], device=scores.device, dtype=torch.float32)
        return (scores - 0.5 * (place[:, None] - place).abs()).half()
