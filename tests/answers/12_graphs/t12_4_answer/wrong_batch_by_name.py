# reason: puts the new batch under the old name; the graph goes on with the first batch
# fails: t12_4_test_values
# Task 12.4: train by replays
class ReplayedTraining:
    def __init__(self, model, x, y):
        self.x, self.y = x.clone(), y.clone()
        self.rate = torch.zeros((), device=x.device)
        train_step(model, self.x, self.y, self.rate)
        self.graph, self.loss = capture(lambda: train_step(model, self.x, self.y, self.rate))

    def step(self, x, y, rate):
        self.x, self.y = x, y
        self.rate.fill_(rate)
        self.graph.replay()
        return self.loss.clone()
