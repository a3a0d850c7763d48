# reason: its own .to() is not called when the module is a part of another
# fails: t04_2c_test
# Task 4.2c: repair Centre
class Centre(nn.Module):
    def __init__(self, means):
        super().__init__()
        self.means = {source: torch.tensor(mean) for source, mean in means.items()}

    def to(self, *args, **kwargs):
        self.means = {source: mean.to(*args, **kwargs) for source, mean in self.means.items()}
        return super().to(*args, **kwargs)

    def forward(self, x, source):
        return x - self.means[source]
