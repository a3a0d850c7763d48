# reason: nobody waits, so whoever reads the result reads too early
# fails: t07_3_test_waits
# says: nobody waited
def fetch(tensors, meanwhile, device):
    copies = [tensor.to("cpu", non_blocking=True) for tensor in tensors]
    meanwhile()
    return copies
