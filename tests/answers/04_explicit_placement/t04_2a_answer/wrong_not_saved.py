# reason: persistent=False: the constants are missing in the state_dict
# fails: t04_2a_test
# Task 4.2a: repair Standardize
class Standardize(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean), persistent=False)
        self.register_buffer("std", torch.tensor(std), persistent=False)

    def forward(self, x):
        return (x - self.mean) / self.std
