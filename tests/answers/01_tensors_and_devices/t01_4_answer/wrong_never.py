# reason: forgets that the GPU may never win, and divides by zero
# fails: t01_4_test
# says: division
def break_even(cpu_us, gpu_us, copy_us):
    return 2 * copy_us // (cpu_us - gpu_us) + 1
