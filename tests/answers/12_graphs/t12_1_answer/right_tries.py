# Task 12.1: captured or refused?
def capturable():
    x = torch.arange(6.0, device=sim) - 2
    names = {"x": x, "mask": x > 0, "torch": torch}
    answers = {}
    for text in ("x.sum()", "x.sum().item()", "x.max() > 0", "1 if x.max() > 0 else 2", "x[mask]",
                 "torch.where(mask, x, 0)", "torch.tensor(0.5, device=x.device)",
                 "torch.full((), 0.5, device=x.device)", "torch.zeros(1000, device=x.device)", "x.cpu()",
                 "x.nonzero()", "x[:3] * 2"):
        try:
            capture(lambda text=text: eval(text, names))
            answers[text] = True
        except RuntimeError:
            answers[text] = False
    return answers
