# reason: PyTorch does not look into a dict
# fails: t04_2c_test
# Task 4.2c: repair Centre
class Centre(nn.Module):
    """Subtract the mean of the source that the input comes from. The means belong into the state_dict."""

    def __init__(self, means):  # {"train": [1.0, 2.0], "test": [1.5, 2.5]}
        super().__init__()
        self.means = {source: torch.tensor(mean) for source, mean in means.items()}

    def forward(self, x, source):  # (B, features), str
        return x - self.means[source]
