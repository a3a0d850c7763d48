# reason: counts the steps rightly, but the gain of a sample that is done still changes
# fails: t05_5_test_values
# Task 5.5: an unrolled solver for a batch
class UnrolledGain(nn.Module):
    def __init__(self, num_layers, q, tol):
        super().__init__()
        self.num_layers, self.q, self.tol = num_layers, q, tol

    def forward(self, y, a):
        gain = y.new_zeros(y.shape[:-1])
        size = torch.full(gain.shape, math.inf, dtype=gain.real.dtype, device=y.device)
        steps = torch.zeros(gain.shape, dtype=torch.int64, device=y.device)
        for _ in range(self.num_layers):
            active = size >= self.tol
            gain, new_size = improve(gain, y, a, self.q)
            size = torch.where(active, new_size, size)
            steps = torch.where(active, steps + 1, steps)
        return gain, steps, size < self.tol
