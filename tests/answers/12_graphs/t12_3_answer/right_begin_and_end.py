# Task 12.3: a function that replays
class Replayed:
    def __init__(self, function, *examples):
        self.static = tuple(torch.zeros_like(e) for e in examples)
        self.kinds = [(tuple(e.shape), e.dtype) for e in examples]
        self.graph = sim_module.Graph()
        self.graph.capture_begin()
        self.out = function(*self.static)
        self.graph.capture_end()

    def __call__(self, *new):
        if self.kinds != [(tuple(t.shape), t.dtype) for t in new]:
            raise ValueError("other tensors than those of the capture")
        [s.copy_(t) for s, t in zip(self.static, new)]
        self.graph.replay()
        return self.out.detach().clone()
