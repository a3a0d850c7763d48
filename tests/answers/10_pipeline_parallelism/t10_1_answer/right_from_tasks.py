# Task 10.1: the clock

def clock_cycles(m, n):
    ticks = [[] for _ in range(m + n - 1)]
    for j in range(n):
        for i in range(m):
            ticks[i + j].append((i, j))
    return ticks
