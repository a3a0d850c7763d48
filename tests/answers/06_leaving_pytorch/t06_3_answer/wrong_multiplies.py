# reason: multiplies by the mask, and NaN times 0 is still NaN
# fails: t06_3_test_values
# says: nan
def masked_mean(x, mask):
    return (x * mask).sum() / mask.sum().clamp(min=1)
