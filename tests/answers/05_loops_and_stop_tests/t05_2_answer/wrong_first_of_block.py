# reason: tests the first step of a block and not the last, so it goes on for a block too long
# fails: t05_2_test_values
# Task 5.2: test every few steps
def gain_check_every(y, a, q, tol, every):
    gain, steps = y.new_zeros(()), 0
    while True:
        gain, tested = improve(gain, y, a, q)
        for _ in range(every - 1):
            gain, _ = improve(gain, y, a, q)
        steps += every
        if tested < tol:
            return gain, steps
