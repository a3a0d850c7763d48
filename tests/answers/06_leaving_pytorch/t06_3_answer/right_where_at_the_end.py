def masked_mean(x, mask):
    chosen = torch.where(mask, x, torch.zeros_like(x))
    count = mask.sum().to(x.dtype)
    mean = chosen.sum() / count
    return torch.where(count > 0, mean, torch.zeros_like(mean))
