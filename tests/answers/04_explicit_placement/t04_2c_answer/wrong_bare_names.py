# reason: registers a buffer under the name 'train', which every module has already
# fails: t04_2c_test
# Task 4.2c: repair Centre
class Centre(nn.Module):
    def __init__(self, means):
        super().__init__()
        for source, mean in means.items():
            self.register_buffer(source, torch.tensor(mean))

    def forward(self, x, source):
        return x - getattr(self, source)
