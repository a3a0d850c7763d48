# Task 12.4: train by replays
class ReplayedTraining:
    def __init__(self, model, x, y):
        self.x, self.y, self.rate = x.clone(), y.clone(), x.new_zeros(())
        saved = [p.detach().clone() for p in model.parameters()]
        train_step(model, self.x, self.y, 0.1)
        with torch.no_grad():
            for parameter, old in zip(model.parameters(), saved):
                parameter.copy_(old)
        self.graph = sim_module.Graph()
        with sim_module.graph(self.graph):
            for parameter in model.parameters():
                parameter.grad = None
            loss = F.cross_entropy(model(self.x), self.y)
            loss.backward()
            with torch.no_grad():
                torch._foreach_sub_(list(model.parameters()), [p.grad * self.rate for p in model.parameters()])
            self.loss = loss.detach()

    def step(self, x, y, rate):
        self.x.copy_(x), self.y.copy_(y), self.rate.fill_(rate)
        self.graph.replay()
        return self.loss.clone()
