# reason: the state is made on the CPU
# fails: t04_2f_test
# Task 4.2f: repair Recurrent
class Recurrent(nn.Module):
    """Reads a sequence step by step. `h` is its memory, zeros to begin with."""

    def __init__(self, features, width):
        super().__init__()
        self.read = nn.Linear(features, width)
        self.keep = nn.Linear(width, width, bias=False)
        self.width = width

    def forward(self, x, h=None):  # (B, T, features), (B, width)
        if h is None:
            h = torch.zeros(x.shape[0], self.width)
        for step in x.unbind(1):
            h = torch.tanh(self.read(step) + self.keep(h))
        return h
