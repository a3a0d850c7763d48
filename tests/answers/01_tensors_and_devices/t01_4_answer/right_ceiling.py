# Task 1.4: when does the GPU begin to win?
def break_even(cpu_us, gpu_us, copy_us):
    if gpu_us >= cpu_us:
        return None
    copies, saved = 2 * copy_us, cpu_us - gpu_us
    steps = -(-copies // saved)  # round up: the first number of steps that is no loss
    if steps * saved == copies:  # a tie
        steps += 1
    return steps
