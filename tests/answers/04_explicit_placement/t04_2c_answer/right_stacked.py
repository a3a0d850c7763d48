# Task 4.2c: repair Centre
class Centre(nn.Module):
    def __init__(self, means):
        super().__init__()
        self.sources = list(means)
        self.register_buffer("means", torch.tensor(list(means.values())))

    def forward(self, x, source):
        return x - self.means[self.sources.index(source)]
