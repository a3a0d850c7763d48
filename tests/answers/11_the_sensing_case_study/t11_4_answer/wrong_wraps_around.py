# reason: takes indices modulo the length, so the window goes on at the other end of the grid
# fails: t11_4_test_values
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    width = torch.arange(-half, half + 1, device=scores.device)
    rows, columns = (row + width) % len(angles), (column + width) % len(delays)
    part = scores[rows][:, columns]
    weights = part.flatten().softmax(0).view_as(part)
    return (weights.sum(1) * angles[rows]).sum(), (weights.sum(0) * delays[columns]).sum()
