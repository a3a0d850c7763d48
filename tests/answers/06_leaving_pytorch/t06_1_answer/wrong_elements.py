# reason: counts elements and forgets that each takes itemsize bytes
# fails: t06_1_test
def offset_bytes(shape, strides, index, itemsize):
    offset = 0
    for length, stride, i in zip(shape, strides, index):
        if not -length <= i < length:
            raise IndexError(i)
        offset += (i % length) * stride
    return offset
