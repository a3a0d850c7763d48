# reason: waits first and gives the device new work afterwards: it runs dry meanwhile
# fails: t07_3_test_waits
# says: before meanwhile() was called
def fetch(tensors, meanwhile, device):
    copies = [tensor.to("cpu", non_blocking=True) for tensor in tensors]
    torch.get_device_module(device).synchronize()
    meanwhile()
    return copies
