# Task 5.4: the number of layers
def required_layers(q, largest_gain, tol):
    if largest_gain == 0:
        return 1
    ratio = tol / ((1 - q) * largest_gain)
    return max(1, math.ceil(math.log(ratio, q)) + 1)
