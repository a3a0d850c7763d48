# reason: nn.ParameterDict makes the means parameters that training changes
# fails: t04_2c_test
# Task 4.2c: repair Centre
class Centre(nn.Module):
    def __init__(self, means):
        super().__init__()
        self.means = nn.ParameterDict({"of " + source: torch.tensor(mean) for source, mean in means.items()})

    def forward(self, x, source):
        return x - self.means["of " + source]
