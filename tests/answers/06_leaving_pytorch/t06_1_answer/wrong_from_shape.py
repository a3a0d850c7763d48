# reason: works the strides out from the shape, as if every tensor were contiguous
# fails: t06_1_test
def offset_bytes(shape, strides, index, itemsize):
    offset = 0
    for length, i in zip(shape, index):
        if not -length <= i < length:
            raise IndexError(i)
        offset = offset * length + i % length
    return offset * itemsize
