# reason: finfo knows decimals only: bool and whole numbers have none
# fails: t01_2_test
# says: finfo
import math


def size_in_bytes(shape, dtype):
    return math.prod(shape) * torch.finfo(dtype).bits // 8
