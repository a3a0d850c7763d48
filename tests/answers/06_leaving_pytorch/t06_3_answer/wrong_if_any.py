# reason: asks with a Python if whether anybody is chosen, which reads a value
# fails: t06_3_test_waits
# says: value read
def masked_mean(x, mask):
    if not mask.any():
        return x.new_zeros(())
    return torch.where(mask, x, 0).sum() / mask.sum()
