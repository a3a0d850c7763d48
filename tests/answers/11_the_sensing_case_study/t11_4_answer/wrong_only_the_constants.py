# reason: replaces torch.tensor by clamp, but keeps nonzero: two waits are left
# fails: t11_4_test_waits
# says: nonzero
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    first, last = (row - half).clamp(min=0), (row + half).clamp(max=len(angles) - 1)
    left, right = (column - half).clamp(min=0), (column + half).clamp(max=len(delays) - 1)
    rows, columns = torch.arange(len(angles), device=scores.device), torch.arange(len(delays), device=scores.device)
    rows = ((rows >= first) & (rows <= last)).nonzero()[:, 0]
    columns = ((columns >= left) & (columns <= right)).nonzero()[:, 0]
    weights = scores[rows][:, columns].flatten().softmax(0).view(len(rows), len(columns))
    return (weights.sum(1) * angles[rows]).sum(), (weights.sum(0) * delays[columns]).sum()
