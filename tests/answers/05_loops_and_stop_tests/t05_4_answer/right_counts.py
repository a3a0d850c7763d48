# Task 5.4: the number of layers
def required_layers(q, largest_gain, tol):
    layers, size = 1, (1 - q) * largest_gain
    while size >= tol:
        layers += 1
        size *= q
    return layers
