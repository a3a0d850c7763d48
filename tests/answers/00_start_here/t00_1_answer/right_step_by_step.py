# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    name = "sim"
    if has_mps:
        name = "mps"
    if has_cuda:
        name = "cuda"
    if wanted is not None and wanted != "":
        name = wanted
    return torch.device(name)
