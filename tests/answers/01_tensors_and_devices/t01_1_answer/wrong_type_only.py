# reason: compares the type alone, so two different cards count as one
# fails: t01_1_test
def same_device(a, b):
    return torch.device(a).type == torch.device(b).type
