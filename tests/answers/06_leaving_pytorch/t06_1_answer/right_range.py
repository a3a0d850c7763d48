def offset_bytes(shape, strides, index, itemsize):
    # range knows negative indices and raises the IndexError
    places = [range(n)[i] for n, i in zip(shape, index)]
    total = 0
    for k in range(len(places)):
        total += places[k] * strides[k] * itemsize
    return total
