# reason: takes the mean over all places, also those that are not chosen
# fails: t06_3_test_values
def masked_mean(x, mask):
    return torch.where(mask, x, 0).mean() if x.numel() else x.new_zeros(())
