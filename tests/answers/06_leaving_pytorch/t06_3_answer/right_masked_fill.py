def masked_mean(x, mask):
    count = mask.sum()
    mean = x.masked_fill(~mask, 0.0).sum() / count.clamp(min=1)
    return mean
