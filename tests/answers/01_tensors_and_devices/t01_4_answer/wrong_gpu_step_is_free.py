# reason: leaves out what the steps take on the GPU
# fails: t01_4_test
def break_even(cpu_us, gpu_us, copy_us):
    if cpu_us <= gpu_us:
        return None
    return 2 * copy_us // cpu_us + 1
