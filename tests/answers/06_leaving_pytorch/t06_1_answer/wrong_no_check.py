# reason: wraps an index that is outside, instead of raising an IndexError
# fails: t06_1_test
# says: expected IndexError
def offset_bytes(shape, strides, index, itemsize):
    return itemsize * sum((i % n) * s for i, n, s in zip(index, shape, strides))
