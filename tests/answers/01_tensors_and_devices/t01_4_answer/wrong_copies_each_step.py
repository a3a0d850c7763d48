# reason: copies there and back in every step, so a GPU wins at once or never
# fails: t01_4_test
def break_even(cpu_us, gpu_us, copy_us):
    return 1 if cpu_us > gpu_us + 2 * copy_us else None
