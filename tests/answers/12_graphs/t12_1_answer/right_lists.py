# Task 12.1: captured or refused?
def capturable():
    captured = ["x.sum()", "x.max() > 0", "torch.where(mask, x, 0)", "torch.full((), 0.5, device=x.device)",
                "torch.zeros(1000, device=x.device)", "x[:3] * 2"]
    refused = ["x.sum().item()", "1 if x.max() > 0 else 2", "x[mask]", "torch.tensor(0.5, device=x.device)",
               "x.cpu()", "x.nonzero()"]
    return dict.fromkeys(captured, True) | dict.fromkeys(refused, False)
