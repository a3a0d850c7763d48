# reason: torch.tensor copies the array even where nothing has to change
# fails: t01_3_test_copies
# says: share memory
def prepare(array, device):
    kind = array.dtype.kind
    dtype = torch.float32 if kind == "f" else torch.int64 if kind in "iu" else None
    return torch.tensor(array.copy(), dtype=dtype).to(device)
