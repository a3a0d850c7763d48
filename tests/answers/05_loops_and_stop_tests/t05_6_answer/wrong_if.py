# reason: Python's if reads the norm
# fails: t05_6_test
# says: expected exactly 0 waits
# Task 5.6: clip without if
def clip_(gradients, max_norm):
    total = torch.stack([g.norm() for g in gradients]).norm()
    if total > max_norm:
        for g in gradients:
            g.mul_(max_norm / total)
    return total
