# reason: forgets that the first step may be small enough, and gives 0 layers or fewer
# fails: t05_4_test
# Task 5.4: the number of layers
def required_layers(q, largest_gain, tol):
    return math.floor(math.log(tol / ((1 - q) * largest_gain)) / math.log(q)) + 2
