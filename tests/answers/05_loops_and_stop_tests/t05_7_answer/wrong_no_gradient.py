# reason: solves without gradients, so the network does not learn what its phases do to the gain
# fails: t05_7_test_training
# says: gain carries no gradient
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
        with torch.no_grad():
            gain, _, converged = self.solver(y, a)
        return gain, a, converged
