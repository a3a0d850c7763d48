# reason: moves the tensors at the first call, and keeps them there
# fails: t04_5_test_a
# says: copies
# Task 4.5: repair the bottleneck
class FastTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.read = nn.Linear(64, 64)
        self.score = nn.Linear(64, 10)
        self.register_buffer("scale", torch.full((64,), 0.5))
        waves = torch.outer(torch.arange(256.0), torch.logspace(0, -3, 64)).sin()
        keep = (torch.arange(256) % 4 != 0)[:, None]
        prior = torch.tensor([1 / (n + 1) for n in range(10)])
        self.parts = waves, keep, prior
        self.ready = None

    def forward(self, x):
        x = torch.relu(self.read(x * self.scale + self.at(x)[0]))
        x = x / x.max() * self.at(x)[1]
        return self.score(x).mean(1) * self.at(x)[2]

    def at(self, x):
        if self.ready is None:
            self.ready = [part.to(x.device, x.dtype) for part in self.parts]
        return self.ready
