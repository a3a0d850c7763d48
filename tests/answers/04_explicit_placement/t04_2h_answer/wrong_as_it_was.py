# reason: Adagrad makes its state on the CPU, where the parameters are at that moment
# fails: t04_2h_test
# Task 4.2h: repair Trainer
class Trainer:
    """A model on `device`, with its optimizer."""

    def __init__(self, model, device, optimizer=torch.optim.Adagrad, lr=0.1):
        self.optimizer = optimizer(model.parameters(), lr=lr)
        self.model = model.to(device)

    def step(self, x, target):  # both already on the device
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), target)
        loss.backward()
        self.optimizer.step()
        return loss.detach()
