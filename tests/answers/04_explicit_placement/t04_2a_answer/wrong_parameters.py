# reason: makes the constants parameters, so that training changes them
# fails: t04_2a_test
# Task 4.2a: repair Standardize
class Standardize(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = nn.Parameter(torch.tensor(mean))
        self.std = nn.Parameter(torch.tensor(std))

    def forward(self, x):
        return (x - self.mean) / self.std
