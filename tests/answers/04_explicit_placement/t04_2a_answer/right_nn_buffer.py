# Task 4.2a: repair Standardize
class Standardize(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = nn.Buffer(torch.tensor(mean))
        self.std = nn.Buffer(torch.tensor(std))

    def forward(self, x):
        return x.sub(self.mean).div(self.std)
