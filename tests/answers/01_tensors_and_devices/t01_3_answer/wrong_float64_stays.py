# reason: forgets that from_numpy keeps NumPy's float64
# fails: t01_3_test_values, t01_3_test_copies
# says: torch.float32
def prepare(array, device):
    return torch.from_numpy(array.copy()).to(device)
