# reason: the copies are gone, but .item() still waits
# fails: t04_5_test_a
# says: .item()
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
        self.register_buffer("waves", waves, persistent=False)
        self.register_buffer("keep", keep, persistent=False)
        self.register_buffer("prior", prior, persistent=False)

    def forward(self, x):
        x = torch.relu(self.read(x * self.scale + self.waves))
        x = x / x.max().item() * self.keep
        return self.score(x).mean(1) * self.prior
