# Task 4.5: repair the bottleneck
class FastTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.read = nn.Linear(64, 64)
        self.score = nn.Linear(64, 10)
        self.register_buffer("scale", torch.full((64,), 0.5))
        angles = torch.outer(torch.arange(256.0), torch.logspace(0, -3, 64))
        self.waves = nn.Buffer(torch.sin(angles), persistent=False)

    def forward(self, x):
        x = x * self.scale + self.waves
        x = torch.relu(self.read(x))
        x = x / x.max()
        step = torch.arange(x.shape[1], device=x.device)
        x = torch.where((step % 4 == 0)[:, None], 0, x)
        prior = 1 / torch.arange(1, 11, device=x.device, dtype=x.dtype)
        return self.score(x).mean(1) * prior
