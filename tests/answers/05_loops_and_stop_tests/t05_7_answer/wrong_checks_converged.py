# reason: looks on the host whether the layers were enough, so every forward pass waits
# fails: t05_7_test_training
# says: expected exactly 0 waits
# Task 5.7: put the solver beside a network
class GainAndPhase(nn.Module):
    def __init__(self, antennas, num_layers, q, tol):
        super().__init__()
        self.phase_net = nn.Sequential(nn.Linear(2 * antennas, 64), nn.ReLU(), nn.Linear(64, antennas))
        self.solver = UnrolledGain(num_layers, q, tol)

    def forward(self, y):
        unit = y / y.abs()
        phases = self.phase_net(torch.cat([unit.real, unit.imag], dim=-1))
        a = torch.polar(torch.ones_like(phases), phases)
        gain, _, converged = self.solver(y, a)
        if not converged.all():
            print("too few layers")
        return gain, a, converged
