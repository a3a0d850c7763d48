# reason: keeps the boolean index, so the size of a tensor depends on values
# fails: t12_2_test_capture
# says: data-dependent shape
# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = x @ weight
    scores = torch.where(scores.isnan().any(), 0, scores) * 0.5
    positive = scores[scores > 0]
    return positive.sum() / max(len(positive), 1)
