# reason: believes that nothing may be allocated; a graph has memory of its own
# says: it can be captured
# Task 12.1: captured or refused?
def capturable():
    return {
        "x.sum()": True,
        "x.sum().item()": False,
        "x.max() > 0": True,
        "1 if x.max() > 0 else 2": False,
        "x[mask]": False,
        "torch.where(mask, x, 0)": True,
        "torch.tensor(0.5, device=x.device)": False,
        "torch.full((), 0.5, device=x.device)": False,
        "torch.zeros(1000, device=x.device)": False,
        "x.cpu()": False,
        "x.nonzero()": False,
        "x[:3] * 2": True,
    }
