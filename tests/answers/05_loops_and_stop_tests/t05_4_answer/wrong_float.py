# reason: gives a float, and range() wants a whole number
# fails: t05_4_test
# says: int
# Task 5.4: the number of layers
def required_layers(q, largest_gain, tol):
    first_step = (1 - q) * largest_gain
    if first_step < tol:
        return 1
    return 2.0 + math.log(tol / first_step) // math.log(q)
