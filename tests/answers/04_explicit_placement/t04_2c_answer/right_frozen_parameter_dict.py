# Task 4.2c: repair Centre
class Centre(nn.Module):
    def __init__(self, means):
        super().__init__()
        self.means = nn.ParameterDict(
            {"of " + source: nn.Parameter(torch.tensor(mean), requires_grad=False) for source, mean in means.items()}
        )

    def forward(self, x, source):
        return x - self.means["of " + source]
