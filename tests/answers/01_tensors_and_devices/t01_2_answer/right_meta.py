# Task 1.2: the size of a tensor that is not there yet
def size_in_bytes(shape, dtype):
    described = torch.empty(shape, dtype=dtype, device="meta")  # has a shape and a dtype, and no memory
    return described.nelement() * described.element_size()
