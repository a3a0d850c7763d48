# Task 9.4: one operator for all parameters
def adadelta_foreach(parameters, gradients, squares, changes, lr, rho=0.9, eps=1e-6):
    squared = torch._foreach_mul(gradients, gradients)
    torch._foreach_lerp_(squares, squared, 1 - rho)
    ratios = torch._foreach_div(torch._foreach_add(changes, eps), torch._foreach_add(squares, eps))
    torch._foreach_sqrt_(ratios)
    deltas = torch._foreach_mul(ratios, gradients)
    torch._foreach_lerp_(changes, torch._foreach_mul(deltas, deltas), 1 - rho)
    torch._foreach_sub_(parameters, deltas, alpha=lr)
