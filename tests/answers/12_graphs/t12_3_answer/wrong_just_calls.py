# reason: no graph at all: calls the function each time
# fails: t12_3_test_values, t12_3_test_launches
# Task 12.3: a function that replays
class Replayed:
    def __init__(self, function, *examples):
        self.function, self.kinds = function, [(e.shape, e.dtype) for e in examples]

    def __call__(self, *tensors):
        if [(t.shape, t.dtype) for t in tensors] != self.kinds:
            raise ValueError("other shapes")
        return self.function(*tensors)
