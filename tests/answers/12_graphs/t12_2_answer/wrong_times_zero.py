# reason: multiplies by 0 where it should choose; NaN times 0 is NaN
# fails: t12_2_test_values, t12_2_test_capture
# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = x @ weight
    scores = scores * ~scores.isnan().any() * 0.5
    positive = scores > 0
    return (scores * positive).sum() / positive.sum().clamp(min=1)
