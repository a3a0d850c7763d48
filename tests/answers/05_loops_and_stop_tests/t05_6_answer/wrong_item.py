# reason: reads the norm and goes on with a Python number
# fails: t05_6_test
# Task 5.6: clip without if
def clip_(gradients, max_norm):
    total = math.sqrt(sum(g.square().sum().item() for g in gradients))
    factor = min(1.0, max_norm / total) if total else 1.0
    for g in gradients:
        g.mul_(factor)
    return torch.full((), total, device=gradients[0].device)
