# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    rows, columns = (torch.arange(n, device=scores.device) for n in scores.shape)
    outside = ((rows - row).abs() > half).unsqueeze(1) | ((columns - column).abs() > half).unsqueeze(0)
    weights = torch.softmax(torch.where(outside, -math.inf, scores).reshape(-1), 0).reshape(scores.shape)
    return (weights @ delays.new_ones(len(delays))) @ angles, weights.sum(0) @ delays
