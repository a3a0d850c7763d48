# reason: adds eps in place, so it stays in the running means
# fails: t09_4_test_values
# says: [0] after three steps
# Task 9.4: one operator for all parameters
def adadelta_foreach(parameters, gradients, squares, changes, lr, rho=0.9, eps=1e-6):
    torch._foreach_mul_(squares, rho)
    torch._foreach_addcmul_(squares, gradients, gradients, value=1 - rho)
    torch._foreach_add_(squares, eps)
    torch._foreach_add_(changes, eps)
    deltas = torch._foreach_sqrt(torch._foreach_div(changes, squares))
    torch._foreach_mul_(deltas, gradients)
    torch._foreach_mul_(changes, rho)
    torch._foreach_addcmul_(changes, deltas, deltas, value=1 - rho)
    torch._foreach_add_(parameters, deltas, alpha=-lr)
