# reason: works the window out on the CPU in each call
# fails: t04_2k_test
# Task 4.2k: repair Smoother
class Smoother(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, x):
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
        return (x - self.mean) * torch.hann_window(x.shape[1]).to(x)
