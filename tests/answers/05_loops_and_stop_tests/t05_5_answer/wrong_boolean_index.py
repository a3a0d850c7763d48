# reason: picks the active samples with a mask as an index; how many there are is on the device, so the host waits
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
        for _ in range(self.num_layers):
            active = size >= self.tol
            gain, size, steps = gain.clone(), size.clone(), steps + active
            gain[active], size[active] = improve(gain[active], y[active], a[active], self.q)
        return gain, steps, size < self.tol
