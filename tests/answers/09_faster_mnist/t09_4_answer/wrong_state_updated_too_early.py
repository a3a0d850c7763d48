# reason: updates the running mean of the changes before it is used for this step
# fails: t09_4_test_values
# says: parameters[0]
# Task 9.4: one operator for all parameters
def adadelta_foreach(parameters, gradients, squares, changes, lr, rho=0.9, eps=1e-6):
    torch._foreach_mul_(squares, rho)
    torch._foreach_addcmul_(squares, gradients, gradients, value=1 - rho)
    torch._foreach_mul_(changes, rho)
    sizes = torch._foreach_sqrt(torch._foreach_add(squares, eps))
    deltas = torch._foreach_sqrt(torch._foreach_add(changes, eps))
    torch._foreach_div_(deltas, sizes)
    torch._foreach_mul_(deltas, gradients)
    torch._foreach_addcmul_(changes, deltas, deltas, value=1 - rho)
    torch._foreach_add_(parameters, deltas, alpha=-lr)
