# reason: calculates in decimals, which can't hold large whole numbers exactly
# fails: t01_2_test
def size_in_bytes(shape, dtype):
    count = 1.0
    for length in shape:
        count *= length
    return int(count * dtype.itemsize)
