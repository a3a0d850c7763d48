# reason: asks when the error q^n |g| is below the tolerance, but the loop looks at its step
# fails: t05_4_test
# Task 5.4: the number of layers
def required_layers(q, largest_gain, tol):
    layers, error = 1, q * largest_gain
    while error >= tol:
        layers, error = layers + 1, error * q
    return layers
