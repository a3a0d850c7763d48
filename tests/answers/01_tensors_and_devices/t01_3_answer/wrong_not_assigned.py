# reason: believes that .to(device) moves the tensor in place, and throws the moved one away
# fails: t01_3_test_values, t01_3_test_copies
# says: .to() returns a new tensor
def prepare(array, device):
    kind = array.dtype.kind
    dtype = np.float32 if kind == "f" else np.int64 if kind in "iu" else array.dtype
    tensor = torch.from_numpy(np.asarray(array, dtype=dtype, order="C"))
    tensor.to(device)
    return tensor
