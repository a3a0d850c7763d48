# reason: compares the devices themselves, so "cuda" is not "cuda:0" and a torch.device is never a string
# fails: t01_1_test
def same_device(a, b):
    return a == b
