# reason: the optimizer holds the parameters of another model, so this one never learns
# fails: t04_2h_test
# Task 4.2h: repair Trainer
import copy


class Trainer:
    def __init__(self, model, device, optimizer=torch.optim.Adagrad, lr=0.1):
        self.model = copy.deepcopy(model).to(device)
        self.optimizer = optimizer(model.parameters(), lr=lr)

    def step(self, x, target):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), target)
        loss.backward()
        self.optimizer.step()
        return loss.detach()
