# reason: slices with tensors of the device; Python reads each of them
# fails: t11_4_test_waits
# says: expected exactly 0 waits
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    rows = slice(max(int(row) - half, 0), int(row) + half + 1)
    columns = slice(max(int(column) - half, 0), int(column) + half + 1)
    part = scores[rows, columns]
    weights = part.flatten().softmax(0).view_as(part)
    return (weights.sum(1) * angles[rows]).sum(), (weights.sum(0) * delays[columns]).sum()
