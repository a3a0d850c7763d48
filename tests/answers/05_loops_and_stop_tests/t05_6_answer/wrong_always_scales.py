# reason: scales small gradients up as well
# fails: t05_6_test
# Task 5.6: clip without if
def clip_(gradients, max_norm):
    total = torch.stack([g.norm() for g in gradients]).norm()
    for g in gradients:
        g.mul_(max_norm / total.clamp(min=1e-12))
    return total
