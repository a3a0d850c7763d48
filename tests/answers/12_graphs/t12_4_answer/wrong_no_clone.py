# reason: gives back the static loss, so all losses are the last one in the end
# fails: t12_4_test_values, t12_4_test_launches
# Task 12.4: train by replays
class ReplayedTraining:
    def __init__(self, model, x, y):
        self.x, self.y = x.clone(), y.clone()
        self.rate = torch.zeros((), device=x.device)
        train_step(model, self.x, self.y, self.rate)
        self.graph, self.loss = capture(lambda: train_step(model, self.x, self.y, self.rate))

    def step(self, x, y, rate):
        self.x.copy_(x)
        self.y.copy_(y)
        self.rate.fill_(rate)
        self.graph.replay()
        return self.loss
