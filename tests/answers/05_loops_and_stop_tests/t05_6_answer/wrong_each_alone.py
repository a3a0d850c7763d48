# reason: clips each gradient by its own norm, which turns the direction of the whole
# fails: t05_6_test
# Task 5.6: clip without if
def clip_(gradients, max_norm):
    norms = torch.stack([g.norm() for g in gradients])
    for g, norm in zip(gradients, norms):
        g.mul_((max_norm / norm).clamp(max=1.0))
    return norms.norm()
