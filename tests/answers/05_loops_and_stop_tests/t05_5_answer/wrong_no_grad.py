# reason: switches gradients off to save memory, so nothing in front of the solver can be learned
# fails: t05_5_test_waits
# says: does not require grad
# Task 5.5: an unrolled solver for a batch
class UnrolledGain(nn.Module):
    def __init__(self, num_layers, q, tol):
        super().__init__()
        self.num_layers, self.q, self.tol = num_layers, q, tol

    def forward(self, y, a):
        gain = y.new_zeros(y.shape[:-1])
        size = torch.full(gain.shape, math.inf, dtype=gain.real.dtype, device=y.device)
        steps = torch.zeros(gain.shape, dtype=torch.int64, device=y.device)
        with torch.no_grad():
            for _ in range(self.num_layers):
                active = size >= self.tol
                new_gain, new_size = improve(gain, y, a, self.q)
                gain, size = torch.where(active, new_gain, gain), torch.where(active, new_size, size)
                steps = torch.where(active, steps + 1, steps)
        return gain, steps, size < self.tol
