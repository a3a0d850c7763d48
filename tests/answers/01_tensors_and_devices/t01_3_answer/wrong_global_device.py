# reason: moves to the notebook's own `sim` instead of the device that was asked for
# fails: t01_3_test_values, t01_3_test_copies
def prepare(array, device):
    kind = array.dtype.kind
    dtype = np.float32 if kind == "f" else np.int64 if kind in "iu" else array.dtype
    return torch.from_numpy(np.asarray(array, dtype=dtype, order="C")).to(sim)
