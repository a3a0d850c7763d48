# reason: cuts the gradient off to save memory
# fails: t11_4_test_waits
# says: grad
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    near_row = (torch.arange(len(angles), device=scores.device) - row).abs() <= half
    near_column = (torch.arange(len(delays), device=scores.device) - column).abs() <= half
    kept = scores.detach().masked_fill(~(near_row[:, None] & near_column), -math.inf)
    weights = kept.flatten().softmax(0).view_as(scores)
    return (weights.sum(1) * angles).sum(), (weights.sum(0) * delays).sum()
