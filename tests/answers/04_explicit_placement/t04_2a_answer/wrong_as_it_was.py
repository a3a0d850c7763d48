# reason: a plain attribute does not move with .to()
# fails: t04_2a_test
# Task 4.2a: repair Standardize
class Standardize(nn.Module):
    """Subtract a mean and divide by a deviation, both known beforehand. They belong into the state_dict."""

    def __init__(self, mean, std):  # two lists of numbers
        super().__init__()
        self.mean = torch.tensor(mean)
        self.std = torch.tensor(std)

    def forward(self, x):  # (B, features)
        return (x - self.mean) / self.std
