# reason: makes the tensor to measure it, and the large one fits into no computer
# fails: t01_2_test
# says: alloc
def size_in_bytes(shape, dtype):
    return torch.zeros(shape, dtype=dtype).nbytes
