# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = torch.mv(x, weight)
    scores = scores.masked_fill(scores.isnan().any(), 0.0) / 2
    total = scores.clamp(min=0).sum()
    return total / (scores > 0).sum().clamp(min=1)
