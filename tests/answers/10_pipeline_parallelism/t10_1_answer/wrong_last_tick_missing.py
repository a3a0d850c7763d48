# reason: m + n - 2 ticks: the last task is lost
# says: tasks are missing
# Task 10.1: the clock

def clock_cycles(m, n):
    return [[(k - j, j) for j in range(n) if 0 <= k - j < m] for k in range(m + n - 2)]
