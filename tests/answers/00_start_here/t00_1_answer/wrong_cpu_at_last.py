# reason: falls back to the CPU, as most programs do, and not to the simulated GPU
# says: it should be sim
# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    if wanted:
        return torch.device(wanted)
    return torch.device("cuda" if has_cuda else "mps" if has_mps else "cpu")
