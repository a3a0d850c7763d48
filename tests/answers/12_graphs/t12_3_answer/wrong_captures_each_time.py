# reason: captures anew in each call, which costs as much as launching everything
# fails: t12_3_test_values
# says: was called
# Task 12.3: a function that replays
class Replayed:
    def __init__(self, function, *examples):
        self.function, self.kinds = function, [(e.shape, e.dtype) for e in examples]

    def __call__(self, *tensors):
        if [(t.shape, t.dtype) for t in tensors] != self.kinds:
            raise ValueError("other shapes")
        graph, result = capture(lambda: self.function(*tensors))
        graph.replay()
        return result
