# Task 4.2f: repair Recurrent
class Recurrent(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.read = nn.Linear(features, width)
        self.keep = nn.Linear(width, width, bias=False)

    def forward(self, x, h=None):
        for step in x.unbind(1):
            seen = self.read(step)
            h = torch.tanh(seen if h is None else seen + self.keep(h))
        return h
