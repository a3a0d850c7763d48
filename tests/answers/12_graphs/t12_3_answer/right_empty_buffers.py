# Task 12.3: a function that replays
class Replayed:
    def __init__(self, function, *examples):
        self.buffers = []
        for example in examples:
            buffer = torch.empty_like(example)
            buffer.copy_(example)
            self.buffers.append(buffer)
        function(*self.buffers)
        self.graph, self.out = capture(lambda: function(*self.buffers))

    def __call__(self, *tensors):
        if len(tensors) != len(self.buffers):
            raise ValueError(f"needs {len(self.buffers)} tensors, got {len(tensors)}")
        for buffer, tensor in zip(self.buffers, tensors):
            if tensor.shape != buffer.shape or tensor.dtype != buffer.dtype:
                raise ValueError(f"captured for {tuple(buffer.shape)}, {buffer.dtype}")
            buffer.copy_(tensor)
        self.graph.replay()
        return self.out.clone()
