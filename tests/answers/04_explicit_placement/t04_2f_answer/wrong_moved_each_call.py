# reason: makes the state on the CPU and copies it in each call
# fails: t04_2f_test
# Task 4.2f: repair Recurrent
class Recurrent(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.read = nn.Linear(features, width)
        self.keep = nn.Linear(width, width, bias=False)
        self.width = width

    def forward(self, x, h=None):
        if h is None:
            h = torch.zeros(x.shape[0], self.width).to(x)
        for step in x.unbind(1):
            h = torch.tanh(self.read(step) + self.keep(h))
        return h
