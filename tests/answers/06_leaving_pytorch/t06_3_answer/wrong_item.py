# reason: reads the count with .item() in order to divide by a Python number
# fails: t06_3_test_waits
# says: .item()
def masked_mean(x, mask):
    return torch.where(mask, x, 0).sum() / max(mask.sum().item(), 1)
