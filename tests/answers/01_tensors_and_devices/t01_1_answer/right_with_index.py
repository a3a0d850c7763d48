# Task 1.1: are two devices the same one?
def full(device):
    device = torch.device(device)
    if device.index is None:
        device = torch.device(device.type, 0)
    return device


def same_device(a, b):
    return full(a) == full(b)
