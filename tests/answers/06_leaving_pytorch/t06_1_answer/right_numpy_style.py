def offset_bytes(shape, strides, index, itemsize):
    for i, n in zip(index, shape):
        if i >= n or i < -n:
            raise IndexError(i)
    positive = [i + n if i < 0 else i for i, n in zip(index, shape)]
    return itemsize * sum(i * s for i, s in zip(positive, strides))
