# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    rows = torch.arange(len(angles), device=scores.device)[:, None]
    columns = torch.arange(len(delays), device=scores.device)[None]
    inside = (rows >= row - half) & (rows <= row + half) & (columns >= column - half) & (columns <= column + half)
    kept = scores.masked_fill(~inside, -math.inf)
    weights = torch.exp(kept - kept.amax().detach())
    weights = weights / weights.sum()
    return (weights * angles[:, None]).sum(), (weights * delays[None]).sum()
