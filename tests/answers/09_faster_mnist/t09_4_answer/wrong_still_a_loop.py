# reason: a loop over the parameters: 11 operators for each of them
# fails: t09_4_test_budget
# says: at most 12
# Task 9.4: one operator for all parameters
def adadelta_foreach(parameters, gradients, squares, changes, lr, rho=0.9, eps=1e-6):
    for parameter, gradient, square, change in zip(parameters, gradients, squares, changes):
        adadelta_loop([parameter], [gradient], [square], [change], lr, rho, eps)
