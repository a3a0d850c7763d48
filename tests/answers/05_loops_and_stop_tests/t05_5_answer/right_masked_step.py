# Task 5.5: an unrolled solver for a batch
class UnrolledGain(nn.Module):
    def __init__(self, num_layers, q, tol):
        super().__init__()
        self.num_layers, self.q, self.tol = num_layers, q, tol

    def forward(self, y, a):
        gain = y.new_zeros(y.shape[:-1])
        active = torch.ones(gain.shape, dtype=torch.bool, device=y.device)
        done = torch.zeros(gain.shape, dtype=torch.bool, device=y.device)
        steps = torch.zeros(gain.shape, dtype=torch.int64, device=y.device)
        for _ in range(self.num_layers):
            better, size = improve(gain, y, a, self.q)
            gain = gain.where(~active, better)
            steps += active
            done = done | active & (size < self.tol)
            active = active & (size >= self.tol)
        return gain, steps, done
