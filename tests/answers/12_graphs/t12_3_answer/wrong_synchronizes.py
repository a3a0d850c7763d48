# reason: waits for the device after the replay, to be safe
# fails: t12_3_test_launches
# says: expected exactly 0 waits
# Task 12.3: a function that replays
class Replayed:
    def __init__(self, function, *examples):
        self.inputs = [example.clone() for example in examples]
        function(*self.inputs)
        self.graph, self.result = capture(lambda: function(*self.inputs))

    def __call__(self, *tensors):
        like = [(t.shape, t.dtype) for t in self.inputs]
        if [(t.shape, t.dtype) for t in tensors] != like:
            raise ValueError(f"captured for {like}")
        for static, new in zip(self.inputs, tensors, strict=True):
            static.copy_(new)
        self.graph.replay()
        sim_module.synchronize()
        return self.result.clone()
