# reason: turns both into torch.device but forgets that a missing number means 0
# fails: t01_1_test
def same_device(a, b):
    return torch.device(a) == torch.device(b)
