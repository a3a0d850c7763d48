# reason: moves the window inwards at the edge (a fixed number of cells) instead of cutting it off
# fails: t11_4_test_values
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    width = torch.arange(-half, half + 1, device=scores.device)
    rows = row.clamp(half, max(len(angles) - 1 - half, half)) + width
    columns = column.clamp(half, max(len(delays) - 1 - half, half)) + width
    rows, columns = rows.clamp(0, len(angles) - 1), columns.clamp(0, len(delays) - 1)
    part = scores[rows][:, columns]
    weights = part.flatten().softmax(0).view_as(part)
    return (weights.sum(1) * angles[rows]).sum(), (weights.sum(0) * delays[columns]).sum()
