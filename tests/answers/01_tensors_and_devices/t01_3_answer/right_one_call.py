# Task 1.3: from NumPy to the device
def prepare(array, device):
    if not array.flags.c_contiguous:
        array = array.copy()
    tensor = torch.as_tensor(array)
    if array.dtype.kind == "f":
        return tensor.to(device, torch.float32)  # one call converts on the CPU, then moves
    return tensor.to(device, torch.int64 if array.dtype.kind in "iu" else tensor.dtype)
