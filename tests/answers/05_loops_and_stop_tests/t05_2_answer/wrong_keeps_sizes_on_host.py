# reason: keeps a history of the sizes as Python numbers: one read for each step
# fails: t05_2_test_waits
# Task 5.2: test every few steps
def gain_check_every(y, a, q, tol, every):
    gain, sizes = y.new_zeros(()), []
    while not sizes or sizes[-1] >= tol:
        for _ in range(every):
            gain, size = improve(gain, y, a, q)
            sizes.append(size.item())
    return gain, len(sizes)
