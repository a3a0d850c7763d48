# reason: copies and waits in each call
# fails: t04_5_test_a
# says: copies
# Task 4.5: repair the bottleneck
class FastTagger(nn.Module):
    """Scores sequences of 256 steps, 64 features each, for 10 classes."""

    def __init__(self):
        super().__init__()
        self.read = nn.Linear(64, 64)
        self.score = nn.Linear(64, 10)
        self.register_buffer("scale", torch.full((64,), 0.5))
        self.angles = torch.outer(torch.arange(256.0), torch.logspace(0, -3, 64))  # (T, features)
        self.prior = [1 / (n + 1) for n in range(10)]

    def forward(self, x):  # (B, T, features)
        x = x * self.scale
        x = x + torch.sin(self.angles).to(x.device, x.dtype)
        x = torch.relu(self.read(x))
        largest = x.max().item()
        x = x / largest
        keep = torch.ones(x.shape[1], dtype=torch.bool)
        keep[::4] = False  # every fourth step is left out
        x = x * keep.to(x.device)[:, None]
        prior = torch.tensor(self.prior, dtype=x.dtype, device=x.device)
        return self.score(x).mean(1) * prior  # (B, classes)
