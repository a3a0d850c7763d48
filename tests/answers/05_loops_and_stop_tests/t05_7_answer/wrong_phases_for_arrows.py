# reason: takes the phases themselves for arrows of length 1
# fails: t05_7_test_values
# Task 5.7: put the solver beside a network
class GainAndPhase(nn.Module):
    def __init__(self, antennas, num_layers, q, tol):
        super().__init__()
        self.phase_net = nn.Sequential(nn.Linear(2 * antennas, 64), nn.ReLU(), nn.Linear(64, antennas))
        self.solver = UnrolledGain(num_layers, q, tol)

    def forward(self, y):
        unit = y / y.abs()
        a = self.phase_net(torch.cat([unit.real, unit.imag], dim=-1)).to(y.dtype)
        gain, _, converged = self.solver(y, a)
        return gain, a, converged
