# reason: a Python loop, which waits n times and not n + 2, and counts on the host
# fails: t05_3_test
# Task 5.3: the gain with while_loop
def gain_while_loop(y, a, q, tol):
    gain, steps = y.new_zeros(()), torch.zeros((), dtype=torch.int64, device=y.device)
    while True:
        gain, size = improve(gain, y, a, q)
        steps = steps + 1
        if size < tol:
            return gain, steps
