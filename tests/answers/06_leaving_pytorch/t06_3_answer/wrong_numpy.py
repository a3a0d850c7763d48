# reason: leaves for NumPy and comes back with a tensor on the CPU
# fails: t06_3_test_waits
def masked_mean(x, mask):
    values, chosen = x.cpu().numpy(), mask.cpu().numpy()
    return torch.tensor(values[chosen].mean() if chosen.any() else 0.0, dtype=x.dtype)
