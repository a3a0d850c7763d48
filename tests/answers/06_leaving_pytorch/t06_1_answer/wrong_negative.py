# reason: multiplies a negative index as it is, so it points before the block
# fails: t06_1_test
def offset_bytes(shape, strides, index, itemsize):
    for length, i in zip(shape, index):
        if not -length <= i < length:
            raise IndexError(i)
    return itemsize * sum(i * s for i, s in zip(index, strides))
