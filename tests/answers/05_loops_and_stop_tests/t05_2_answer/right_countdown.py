# Task 5.2: test every few steps
def gain_check_every(y, a, q, tol, every):
    gain, size, steps = torch.zeros((), dtype=y.dtype, device=y.device), None, 0
    while size is None or bool(size >= tol):
        left = every
        while left:
            gain, size = improve(gain, y, a, q)
            left -= 1
            steps += 1
    return gain, steps
