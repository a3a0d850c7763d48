# Task 1.4: when does the GPU begin to win?
def break_even(cpu_us, gpu_us, copy_us):
    """Steps n with cpu_us * n > 2 * copy_us + gpu_us * n."""
    if cpu_us > gpu_us:
        whole, _ = divmod(copy_us + copy_us, cpu_us - gpu_us)
        return whole + 1
