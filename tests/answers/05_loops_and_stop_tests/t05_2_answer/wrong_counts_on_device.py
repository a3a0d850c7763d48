# reason: counts only the steps that were needed, and in a tensor
# fails: t05_2_test_values
# says: int
# Task 5.2: test every few steps
def gain_check_every(y, a, q, tol, every):
    gain, steps = y.new_zeros(()), torch.zeros((), dtype=torch.int64, device=y.device)
    size = torch.full((), math.inf, device=y.device)
    while True:
        for _ in range(every):
            steps = steps + (size >= tol)
            gain, size = improve(gain, y, a, q)
        if size < tol:
            return gain, steps
