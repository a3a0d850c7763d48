# reason: moves the constants again in each call: two copies every time
# fails: t04_2a_test
# Task 4.2a: repair Standardize
class Standardize(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = torch.tensor(mean)
        self.std = torch.tensor(std)

    def forward(self, x):
        return (x - self.mean.to(x)) / self.std.to(x)
