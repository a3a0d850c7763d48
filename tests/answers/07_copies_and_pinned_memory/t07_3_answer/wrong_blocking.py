# reason: plain .cpu() makes the host wait for every single copy
# fails: t07_3_test_waits
def fetch(tensors, meanwhile, device):
    copies = [tensor.cpu() for tensor in tensors]
    meanwhile()
    return copies
