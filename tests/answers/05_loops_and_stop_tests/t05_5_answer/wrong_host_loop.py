# reason: a Python while over the batch, so the host reads a test in every step
# fails: t05_5_test_waits
# says: expected exactly 0 waits
# Task 5.5: an unrolled solver for a batch
class UnrolledGain(nn.Module):
    def __init__(self, num_layers, q, tol):
        super().__init__()
        self.num_layers, self.q, self.tol = num_layers, q, tol

    def forward(self, y, a):
        gain = y.new_zeros(y.shape[:-1])
        size = torch.full(gain.shape, math.inf, dtype=gain.real.dtype, device=y.device)
        steps = torch.zeros(gain.shape, dtype=torch.int64, device=y.device)
        layer = 0
        while layer < self.num_layers and (size >= self.tol).any():
            active = size >= self.tol
            new_gain, new_size = improve(gain, y, a, self.q)
            gain, size = torch.where(active, new_gain, gain), torch.where(active, new_size, size)
            steps, layer = steps + active, layer + 1
        return gain, steps, size < self.tol
