# Task 5.7: put the solver beside a network
class GainAndPhase(nn.Module):
    def __init__(self, antennas, num_layers, q, tol):
        super().__init__()
        hidden = 64
        self.phase_net = nn.Sequential()
        self.phase_net.append(nn.Linear(antennas * 2, hidden))
        self.phase_net.append(nn.ReLU())
        self.phase_net.append(nn.Linear(hidden, antennas))
        self.solve = sp.loops.GainSolver(num_layers, q, tol)

    def forward(self, y):
        angle = y.angle()
        phases = self.phase_net(torch.cat((angle.cos(), angle.sin()), dim=1))
        a = torch.complex(phases.cos(), phases.sin())
        gain, _, converged = self.solve(y, a)
        return gain, a, converged
