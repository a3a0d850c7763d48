# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    return torch.device(wanted or (has_cuda and "cuda") or (has_mps and "mps") or "sim")
