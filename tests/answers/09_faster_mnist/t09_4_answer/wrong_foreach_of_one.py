# reason: calls the list operators with lists of one tensor, in a loop
# fails: t09_4_test_budget
# says: at most 12
# Task 9.4: one operator for all parameters
def adadelta_foreach(parameters, gradients, squares, changes, lr, rho=0.9, eps=1e-6):
    for p, g, s, c in zip(parameters, gradients, squares, changes):
        torch._foreach_mul_([s], rho)
        torch._foreach_addcmul_([s], [g], [g], value=1 - rho)
        sizes = torch._foreach_add([s], eps)
        torch._foreach_sqrt_(sizes)
        deltas = torch._foreach_add([c], eps)
        torch._foreach_sqrt_(deltas)
        torch._foreach_div_(deltas, sizes)
        torch._foreach_mul_(deltas, [g])
        torch._foreach_mul_([c], rho)
        torch._foreach_addcmul_([c], deltas, deltas, value=1 - rho)
        torch._foreach_add_([p], deltas, alpha=-lr)
