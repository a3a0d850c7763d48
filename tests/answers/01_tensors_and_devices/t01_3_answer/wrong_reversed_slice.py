# reason: torch.from_numpy refuses an array with negative strides, such as array[::-1]
# fails: t01_3_test_values
# says: negative
def prepare(array, device):
    tensor = torch.from_numpy(array)
    if tensor.is_floating_point():
        tensor = tensor.float()
    elif tensor.dtype != torch.bool:
        tensor = tensor.long()
    return tensor.to(device)
