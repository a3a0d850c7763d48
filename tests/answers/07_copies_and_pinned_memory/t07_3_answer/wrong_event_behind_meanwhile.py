# reason: the mark is recorded behind the work of meanwhile(), so waiting for it waits for that work
# fails: t07_3_test_waits
# says: Put a mark into the queue behind the copies
def fetch(tensors, meanwhile, device):
    copies = [tensor.to("cpu", non_blocking=True) for tensor in tensors]
    meanwhile()
    copied = torch.Event(device)
    copied.record()
    copied.synchronize()
    return copies
