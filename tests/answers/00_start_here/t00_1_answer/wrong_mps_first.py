# reason: asks for mps before cuda
# says: it should be cuda
# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    if wanted:
        return torch.device(wanted)
    return torch.device("mps" if has_mps else "cuda" if has_cuda else "sim")
