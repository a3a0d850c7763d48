# reason: captures forward and backward pass only and updates the weights one by one, outside of the graph
# fails: t12_4_test_launches
# says: launches
# Task 12.4: train by replays
class ReplayedTraining:
    def __init__(self, model, x, y):
        self.model, self.x, self.y = model, x.clone(), y.clone()

        def passes():
            for parameter in model.parameters():
                parameter.grad = None
            loss = F.cross_entropy(model(self.x), self.y)
            loss.backward()
            return loss.detach()

        passes()
        self.graph, self.loss = capture(passes)

    def step(self, x, y, rate):
        self.x.copy_(x)
        self.y.copy_(y)
        self.graph.replay()
        with torch.no_grad():
            for parameter in self.model.parameters():
                parameter -= rate * parameter.grad
        return self.loss.clone()
