# Task 5.6: clip without if
def clip_(gradients, max_norm):
    total = torch.cat([g.flatten() for g in gradients]).norm()
    factor = torch.where(total > max_norm, max_norm / total, torch.ones_like(total))
    for g in gradients:
        g *= factor
    return total
