# reason: captures the rate as a Python number; later rates are never heard of
# fails: t12_4_test_values
# says: rate 0.1
# Task 12.4: train by replays
class ReplayedTraining:
    def __init__(self, model, x, y):
        self.x, self.y = x.clone(), y.clone()
        self.rate = 0.5
        train_step(model, self.x, self.y, 0.0)
        self.graph, self.loss = capture(lambda: train_step(model, self.x, self.y, self.rate))

    def step(self, x, y, rate):
        self.x.copy_(x)
        self.y.copy_(y)
        self.rate = rate
        self.graph.replay()
        return self.loss.clone()
