# reason: sets only the NaN to 0, but one NaN makes all scores count as 0
# fails: t12_2_test_values
# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = x @ weight
    scores = scores.nan_to_num(nan=0.0) * 0.5
    positive = scores > 0
    return torch.where(positive, scores, 0).sum() / positive.sum().clamp(min=1)
