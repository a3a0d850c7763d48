# reason: picks the window with a mask as an index; how many cells that are is known on the device only
# fails: t11_4_test_waits
# says: expected exactly 0 waits
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    near_row = (torch.arange(len(angles), device=scores.device) - row).abs() <= half
    near_column = (torch.arange(len(delays), device=scores.device) - column).abs() <= half
    inside = near_row[:, None] & near_column
    weights = scores[inside].softmax(0)
    angle_of, delay_of = angles[:, None].expand_as(scores), delays.expand_as(scores)
    return (weights * angle_of[inside]).sum(), (weights * delay_of[inside]).sum()
