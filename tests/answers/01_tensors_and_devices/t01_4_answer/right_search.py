# Task 1.4: when does the GPU begin to win?
def break_even(cpu_us, gpu_us, copy_us):
    if cpu_us <= gpu_us:
        return None

    def wins(steps):
        return cpu_us * steps > gpu_us * steps + 2 * copy_us

    high = 1
    while not wins(high):
        high *= 2
    low = high // 2  # does not win, or is 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if wins(middle) else (middle, high)
    return high
