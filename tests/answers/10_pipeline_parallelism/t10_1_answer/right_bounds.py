# Task 10.1: the clock

def clock_cycles(m, n):
    ticks = []
    for k in range(m + n - 1):
        first, last = max(0, k - m + 1), min(k, n - 1)
        ticks.append([(k - j, j) for j in range(first, last + 1)])
    return ticks
