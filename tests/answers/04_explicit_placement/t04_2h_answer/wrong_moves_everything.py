# reason: moves the step counter too, so that Adagrad waits for it in each step
# fails: t04_2h_test
# Task 4.2h: repair Trainer
class Trainer:
    def __init__(self, model, device, optimizer=torch.optim.Adagrad, lr=0.1):
        self.optimizer = optimizer(model.parameters(), lr=lr)
        self.model = model.to(device)
        for state in self.optimizer.state.values():
            for name, value in state.items():
                state[name] = value.to(device)

    def step(self, x, target):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), target)
        loss.backward()
        self.optimizer.step()
        return loss.detach()
