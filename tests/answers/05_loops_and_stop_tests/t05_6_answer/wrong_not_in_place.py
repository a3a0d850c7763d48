# reason: makes new tensors and throws them away; the gradients themselves stay as long as they were
# fails: t05_6_test
# Task 5.6: clip without if
def clip_(gradients, max_norm):
    total = torch.stack([g.norm() for g in gradients]).norm()
    factor = (max_norm / total).clamp(max=1.0)
    gradients = [g * factor for g in gradients]
    return total
