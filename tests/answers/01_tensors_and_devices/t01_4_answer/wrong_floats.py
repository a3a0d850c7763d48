# reason: divides in decimals, which can't hold large whole numbers exactly
# fails: t01_4_test
import math


def break_even(cpu_us, gpu_us, copy_us):
    if cpu_us <= gpu_us:
        return None
    return math.floor(2 * copy_us / (cpu_us - gpu_us)) + 1
