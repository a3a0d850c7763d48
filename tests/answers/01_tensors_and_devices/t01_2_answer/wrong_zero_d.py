# reason: an empty shape counts as no number, but a 0-d tensor holds one
# fails: t01_2_test
def size_in_bytes(shape, dtype):
    if len(shape) == 0:
        return 0
    count = 1
    for length in shape:
        count *= length
    return count * dtype.itemsize
