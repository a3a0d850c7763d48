# reason: puts the new tensors under the old names; the graph works on memory, not on names
# fails: t12_3_test_values
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
        self.inputs = list(tensors)
        self.graph.replay()
        return self.result.clone()
