# reason: obeys a wish only where there is no GPU
# says: it should be cpu
# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    if has_cuda:
        return torch.device("cuda")
    if has_mps:
        return torch.device("mps")
    return torch.device(wanted or "sim")
