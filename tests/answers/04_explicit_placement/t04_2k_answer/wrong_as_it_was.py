# reason: the mean is lost, and the window is saved
# fails: t04_2k_test
# Task 4.2k: repair Smoother
class Smoother(nn.Module):
    """Subtracts a running mean, learned from what it has seen, and applies a fixed window."""

    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width), persistent=False)
        self.register_buffer("window", torch.hann_window(width))

    def forward(self, x):  # (B, width)
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
        return (x - self.mean) * self.window
