# reason: gives the cells outside a score of 0; their weight is then e^0 and not 0
# fails: t11_4_test_values
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    near_row = (torch.arange(len(angles), device=scores.device) - row).abs() <= half
    near_column = (torch.arange(len(delays), device=scores.device) - column).abs() <= half
    weights = torch.where(near_row[:, None] & near_column, scores, 0).flatten().softmax(0).view_as(scores)
    return (weights.sum(1) * angles).sum(), (weights.sum(0) * delays).sum()
