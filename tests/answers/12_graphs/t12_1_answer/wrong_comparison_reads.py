# reason: takes the comparison for a read; it is a kernel, and only the if reads
# says: x.max() > 0
# Task 12.1: captured or refused?
def capturable():
    return {
        "x.sum()": True,
        "x.sum().item()": False,
        "x.max() > 0": False,
        "1 if x.max() > 0 else 2": False,
        "x[mask]": False,
        "torch.where(mask, x, 0)": True,
        "torch.tensor(0.5, device=x.device)": False,
        "torch.full((), 0.5, device=x.device)": True,
        "torch.zeros(1000, device=x.device)": True,
        "x.cpu()": False,
        "x.nonzero()": False,
        "x[:3] * 2": True,
    }
