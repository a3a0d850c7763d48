# Task 2.2: the typical time of a step
def typical_us(step, warmup, repeats, where):
    times = []
    for call in range(warmup + repeats):
        with sp.timer(where) as t:
            step()
        if call >= warmup:
            times.append(t.us)
    times.sort()
    middle = len(times) // 2
    return times[middle] if len(times) % 2 else (times[middle - 1] + times[middle]) / 2
