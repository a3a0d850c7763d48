def masked_mean(x, mask):
    n = torch.count_nonzero(mask)
    total = torch.sum(torch.where(mask, x, x.new_zeros(())))
    return total / torch.maximum(n, torch.ones_like(n))
