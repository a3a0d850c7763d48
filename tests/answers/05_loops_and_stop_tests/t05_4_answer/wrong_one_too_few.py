# reason: solves for n - 1 and forgets to add the 1
# fails: t05_4_test
# Task 5.4: the number of layers
def required_layers(q, largest_gain, tol):
    first_step = (1 - q) * largest_gain
    if first_step < tol:
        return 1
    return math.ceil(math.log(tol / first_step) / math.log(q))
