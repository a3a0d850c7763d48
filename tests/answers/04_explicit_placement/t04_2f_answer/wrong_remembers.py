# reason: keeps the state in self, so that a sequence begins with the memory of the one before
# fails: t04_2f_test
# Task 4.2f: repair Recurrent
class Recurrent(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.read = nn.Linear(features, width)
        self.keep = nn.Linear(width, width, bias=False)
        self.width = width
        self.h = None

    def forward(self, x, h=None):
        if h is None:
            h = x.new_zeros(x.shape[0], self.width) if self.h is None else self.h
        for step in x.unbind(1):
            h = torch.tanh(self.read(step) + self.keep(h))
        self.h = h.detach()
        return h
