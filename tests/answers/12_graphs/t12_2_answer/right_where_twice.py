# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = (x * weight).sum(dim=1)
    broken = (scores != scores).any()
    counts = (scores > 0) & ~broken
    halves = torch.where(counts, scores, torch.zeros_like(scores)).mul(0.5)
    return halves.sum() / torch.maximum(counts.sum(), torch.ones_like(counts.sum()))
