# reason: a missing number matches every number: "cuda" counts as "cuda:1"
# fails: t01_1_test
def same_device(a, b):
    a, b = torch.device(a), torch.device(b)
    if a.type != b.type:
        return False
    return a.index is None or b.index is None or a.index == b.index
