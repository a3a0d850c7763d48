# reason: torch.tensor(0.0) is on the CPU, and where copies it to the device while the host waits
# fails: t06_3_test_waits
def masked_mean(x, mask):
    return torch.where(mask, x, torch.tensor(0.0, dtype=x.dtype)).sum() / mask.sum().clamp(min=1)
