# reason: forgets the copy back
# fails: t01_4_test
def break_even(cpu_us, gpu_us, copy_us):
    if cpu_us <= gpu_us:
        return None
    return copy_us // (cpu_us - gpu_us) + 1
