# Task 5.2: test every few steps
import itertools


def gain_check_every(y, a, q, tol, every):
    gain = y.new_zeros(())
    for steps in itertools.count(1):
        gain, size = improve(gain, y, a, q)
        if steps % every == 0 and size.item() < tol:
            return gain, steps
