# Task 4.2k: repair Smoother
class Smoother(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Buffer(torch.zeros(width))
        self.window = nn.Buffer(torch.hann_window(width), persistent=False)

    def forward(self, x):
        if self.training:
            self.mean.mul_(0.9).add_(x.detach().mean(0), alpha=0.1)
        return (x - self.mean) * self.window
