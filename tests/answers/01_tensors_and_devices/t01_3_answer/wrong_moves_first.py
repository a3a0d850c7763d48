# reason: moves the float64 values and converts on the device: twice the bytes, and a kernel
# fails: t01_3_test_copies
# says: convert before you move
def prepare(array, device):
    if any(stride < 0 for stride in array.strides):
        array = array.copy()
    tensor = torch.from_numpy(array).to(device)
    if tensor.is_floating_point():
        return tensor.float()
    return tensor if tensor.dtype == torch.bool else tensor.long()
