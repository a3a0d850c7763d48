# reason: asks this computer and ignores what it was told
# says: it should be
# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    if wanted:
        return torch.device(wanted)
    return torch.device("cuda" if torch.cuda.is_available() else "sim")
