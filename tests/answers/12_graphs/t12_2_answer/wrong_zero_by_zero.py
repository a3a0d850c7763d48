# reason: divides by the count without a guard; with no positive score that is 0/0
# fails: t12_2_test_values
# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = x @ weight
    scores = torch.where(scores.isnan().any(), 0, scores) * 0.5
    positive = scores > 0
    return torch.where(positive, scores, 0).sum() / positive.sum()
