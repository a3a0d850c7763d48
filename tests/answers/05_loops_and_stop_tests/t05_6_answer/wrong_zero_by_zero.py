# reason: divides the clipped norm by the norm, which is 0 / 0 where all gradients are 0
# fails: t05_6_test
# says: nan
# Task 5.6: clip without if
def clip_(gradients, max_norm):
    total = torch.stack([g.norm() for g in gradients]).norm()
    for g in gradients:
        g.mul_(total.clamp(max=max_norm) / total)
    return total
