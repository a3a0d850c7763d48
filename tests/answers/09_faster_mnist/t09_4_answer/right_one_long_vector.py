# Task 9.4: one operator for all parameters
def adadelta_foreach(parameters, gradients, squares, changes, lr, rho=0.9, eps=1e-6):
    torch._foreach_mul_(squares + changes, rho)  # both running means in one call
    torch._foreach_addcmul_(squares, gradients, gradients, value=1 - rho)
    old = torch._foreach_div(changes, rho)
    torch._foreach_add_(old, eps)
    torch._foreach_div_(old, torch._foreach_add(squares, eps))
    torch._foreach_sqrt_(old)
    torch._foreach_mul_(old, gradients)
    torch._foreach_addcmul_(changes, old, old, value=1 - rho)
    torch._foreach_add_(parameters, old, alpha=-lr)
