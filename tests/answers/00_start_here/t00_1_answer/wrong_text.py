# reason: gives back a name; a text is no device
# says: Make a device of the name
# Task 0.1: pick a device
def pick_device(has_cuda, has_mps, wanted=None):
    if wanted:
        return wanted
    return "cuda" if has_cuda else "mps" if has_mps else "sim"
