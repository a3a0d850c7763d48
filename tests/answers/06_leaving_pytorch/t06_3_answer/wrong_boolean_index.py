# reason: selects with the mask, so the host waits for the size, and nobody chosen gives NaN
# fails: t06_3_test_values, t06_3_test_waits
# says: data-dependent shape
def masked_mean(x, mask):
    return x[mask].mean()
