# reason: np.prod gives NumPy's own numbers (for an empty shape even a decimal), not a Python int
# fails: t01_2_test
# says: it should give an int
def size_in_bytes(shape, dtype):
    return np.prod(shape) * dtype.itemsize
