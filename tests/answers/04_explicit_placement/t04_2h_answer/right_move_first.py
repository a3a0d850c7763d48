# Task 4.2h: repair Trainer
class Trainer:
    def __init__(self, model, device, optimizer=torch.optim.Adagrad, lr=0.1):
        model.to(device)
        self.model = model
        self.optimizer = optimizer(model.parameters(), lr=lr)

    def step(self, x, target):
        loss = nn.functional.mse_loss(self.model(x), target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.detach()
