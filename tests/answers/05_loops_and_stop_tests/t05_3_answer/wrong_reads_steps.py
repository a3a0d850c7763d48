# reason: gives back the number of steps as a Python number, which is one more read
# fails: t05_3_test
# says: .item()
# Task 5.3: the gain with while_loop
def gain_while_loop(y, a, q, tol):
    def not_small(gain, size, steps):
        return size >= tol

    def step(gain, size, steps):
        gain, size = improve(gain, y, a, q)
        return gain, size, steps + 1

    size = torch.full((), math.inf, dtype=y.real.dtype, device=y.device)
    steps = torch.zeros((), dtype=torch.int64, device=y.device)
    gain, size, steps = while_loop(not_small, step, (y.new_zeros(()), size, steps))
    return gain, steps.item()
