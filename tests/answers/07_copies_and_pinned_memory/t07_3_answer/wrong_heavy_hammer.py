# reason: synchronize() waits for all work of the device, that of meanwhile() included
# fails: t07_3_test_waits
# says: it waited for the work of meanwhile()
def fetch(tensors, meanwhile, device):
    copies = [tensor.to("cpu", non_blocking=True) for tensor in tensors]
    meanwhile()
    torch.get_device_module(device).synchronize()
    return copies
