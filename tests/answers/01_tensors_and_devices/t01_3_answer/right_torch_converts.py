# Task 1.3: from NumPy to the device
def prepare(array, device):
    if any(stride < 0 for stride in array.strides):
        array = array.copy()
    tensor = torch.from_numpy(array)
    if tensor.is_floating_point():
        tensor = tensor.float()
    elif tensor.dtype != torch.bool:
        tensor = tensor.long()
    return tensor.to(device)
