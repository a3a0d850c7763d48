# reason: makes the first gain on the CPU, where y is not
# fails: t05_2_test_values
# says: device
# Task 5.2: test every few steps
def gain_check_every(y, a, q, tol, every):
    gain, steps = torch.zeros((), dtype=y.dtype), 0
    while True:
        for _ in range(every):
            gain, size = improve(gain, y, a, q)
        steps += every
        if size < tol:
            return gain, steps
