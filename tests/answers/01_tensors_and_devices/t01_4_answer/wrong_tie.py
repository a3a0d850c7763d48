# reason: rounds up, so a tie counts as a win
# fails: t01_4_test
def break_even(cpu_us, gpu_us, copy_us):
    if cpu_us <= gpu_us:
        return None
    return max(1, -(-2 * copy_us // (cpu_us - gpu_us)))
