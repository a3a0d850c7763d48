# reason: keeps the if on a tensor; while capturing there is no value to decide by
# fails: t12_2_test_capture
# says: value read
# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = x @ weight
    if scores.isnan().any():
        scores = torch.zeros_like(scores)
    scores = scores * 0.5
    positive = scores > 0
    return torch.where(positive, scores, 0).sum() / positive.sum().clamp(min=1)
