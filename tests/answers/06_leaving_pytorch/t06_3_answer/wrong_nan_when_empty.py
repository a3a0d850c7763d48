# reason: divides by 0 when nobody is chosen
# fails: t06_3_test_values
# says: nan
def masked_mean(x, mask):
    return torch.where(mask, x, 0).sum() / mask.sum()
