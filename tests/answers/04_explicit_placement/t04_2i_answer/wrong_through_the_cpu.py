# reason: casts and moves at once, from the CPU, in each call
# fails: t04_2i_test
# Task 4.2i: repair Distance
class Distance(nn.Module):
    def forward(self, scores):
        place = torch.arange(scores.shape[-1]).to(scores)
        return scores - 0.5 * (place[:, None] - place).abs()
