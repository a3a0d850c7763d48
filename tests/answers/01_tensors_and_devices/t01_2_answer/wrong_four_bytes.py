# reason: takes every dtype for float32, so each number counts 4 bytes
# fails: t01_2_test
import math


def size_in_bytes(shape, dtype):
    return math.prod(shape) * 4
