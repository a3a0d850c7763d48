# reason: feeds the network with the arrows as measured, so that strong echoes look different from weak ones
# fails: t05_7_test_values
# Task 5.7: put the solver beside a network
class GainAndPhase(nn.Module):
    def __init__(self, antennas, num_layers, q, tol):
        super().__init__()
        self.phase_net = nn.Sequential(nn.Linear(2 * antennas, 64), nn.ReLU(), nn.Linear(64, antennas))
        self.solver = UnrolledGain(num_layers, q, tol)

    def forward(self, y):
        phases = self.phase_net(torch.cat([y.real, y.imag], dim=-1))
        a = torch.polar(torch.ones_like(phases), phases)
        gain, _, converged = self.solver(y, a)
        return gain, a, converged
