# reason: copies without a look at the shape; copy_ repeats a row without a word
# fails: t12_3_test_values
# says: ValueError
# Task 12.3: a function that replays
class Replayed:
    def __init__(self, function, *examples):
        self.inputs = [example.clone() for example in examples]
        function(*self.inputs)
        self.graph, self.result = capture(lambda: function(*self.inputs))

    def __call__(self, *tensors):
        for static, new in zip(self.inputs, tensors):
            static.copy_(new)
        self.graph.replay()
        return self.result.clone()
