# reason: believes that torch.where is a branch like if
# says: torch.where
# Task 12.1: captured or refused?
def capturable():
    return {
        "x.sum()": True,
        "x.sum().item()": False,
        "x.max() > 0": True,
        "1 if x.max() > 0 else 2": False,
        "x[mask]": False,
        "torch.where(mask, x, 0)": False,
        "torch.tensor(0.5, device=x.device)": False,
        "torch.full((), 0.5, device=x.device)": True,
        "torch.zeros(1000, device=x.device)": True,
        "x.cpu()": False,
        "x.nonzero()": False,
        "x[:3] * 2": True,
    }
