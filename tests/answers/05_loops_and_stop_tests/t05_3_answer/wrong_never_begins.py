# reason: begins with the size 0, which is below every tolerance, so no step is taken
# fails: t05_3_test
# Task 5.3: the gain with while_loop
def gain_while_loop(y, a, q, tol):
    def not_small(gain, size, steps):
        return size >= tol

    def step(gain, size, steps):
        gain, size = improve(gain, y, a, q)
        return gain, size, steps + 1

    size = torch.zeros((), dtype=y.real.dtype, device=y.device)
    steps = torch.zeros((), dtype=torch.int64, device=y.device)
    gain, size, steps = while_loop(not_small, step, (y.new_zeros(()), size, steps))
    return gain, steps
