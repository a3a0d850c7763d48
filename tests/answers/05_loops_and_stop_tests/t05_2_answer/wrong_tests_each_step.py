# reason: looks at the size of each step, so it waits in each step
# fails: t05_2_test_waits
# says: expected exactly
# Task 5.2: test every few steps
def gain_check_every(y, a, q, tol, every):
    gain, steps, done = y.new_zeros(()), 0, False
    while not done:
        for _ in range(every):
            gain, size = improve(gain, y, a, q)
            steps += 1
            done = bool(size < tol)
    return gain, steps
