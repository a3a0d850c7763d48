# reason: np.ascontiguousarray makes a 1-d array of a 0-d one, so the shape changes
# fails: t01_3_test_values
def prepare(array, device):
    kind = array.dtype.kind
    dtype = np.float32 if kind == "f" else np.int64 if kind in "iu" else array.dtype
    return torch.from_numpy(np.ascontiguousarray(array, dtype=dtype)).to(device)
