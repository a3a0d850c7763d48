# reason: takes an empty text for a wish
# says: device
# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    if wanted is not None:
        return torch.device(wanted)
    return torch.device("cuda" if has_cuda else "mps" if has_mps else "sim")
