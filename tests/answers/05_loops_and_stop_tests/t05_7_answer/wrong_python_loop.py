# reason: solves with a Python while, so the host waits in every step
# fails: t05_7_test_training
# Task 5.7: put the solver beside a network
class GainAndPhase(nn.Module):
    def __init__(self, antennas, num_layers, q, tol):
        super().__init__()
        self.phase_net = nn.Sequential(nn.Linear(2 * antennas, 64), nn.ReLU(), nn.Linear(64, antennas))
        self.q, self.tol, self.most = q, tol, num_layers

    def forward(self, y):
        unit = y / y.abs()
        phases = self.phase_net(torch.cat([unit.real, unit.imag], dim=-1))
        a = torch.polar(torch.ones_like(phases), phases)
        gain = y.new_zeros(y.shape[0])
        for _ in range(self.most):
            gain, size = improve(gain, y, a, self.q)
            if size.max() < self.tol:
                break
        return gain, a, size < self.tol
