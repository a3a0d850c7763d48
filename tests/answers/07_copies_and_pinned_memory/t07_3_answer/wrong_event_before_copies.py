# reason: the mark stands before the copies, so reaching it says nothing about them
# fails: t07_3_test_values
def fetch(tensors, meanwhile, device):
    mark = torch.Event(device)
    mark.record()
    copies = [tensor.to("cpu", non_blocking=True) for tensor in tensors]
    meanwhile()
    mark.synchronize()
    return copies
