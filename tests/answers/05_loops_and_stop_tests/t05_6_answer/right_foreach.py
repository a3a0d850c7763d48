# Task 5.6: clip without if
def clip_(gradients, max_norm):
    total = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
    torch._foreach_mul_(gradients, torch.clamp(max_norm / total, max=1.0))
    return total
