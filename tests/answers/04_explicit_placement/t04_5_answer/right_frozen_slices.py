# Task 4.5: repair the bottleneck
class FastTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.read = nn.Linear(64, 64)
        self.score = nn.Linear(64, 10)
        self.register_buffer("scale", torch.full((64,), 0.5))
        waves = torch.outer(torch.arange(256.0), torch.logspace(0, -3, 64)).sin()
        self.register_buffer("waves", waves, persistent=False)
        self.register_buffer("prior", torch.arange(1, 11).reciprocal(), persistent=False)

    def forward(self, x):
        x = self.read(x * self.scale + self.waves).relu()
        keep = torch.ones_like(x)
        keep[:, ::4] = 0
        x = x / x.amax() * keep
        return self.score(x).mean(1) * self.prior
