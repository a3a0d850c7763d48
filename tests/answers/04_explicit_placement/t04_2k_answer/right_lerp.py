# Task 4.2k: repair Smoother
class Smoother(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("window", torch.hann_window(width), persistent=False)
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.copy_(self.mean.lerp(x.mean(0), 0.1))
        return x.sub(self.mean).mul(self.window)
