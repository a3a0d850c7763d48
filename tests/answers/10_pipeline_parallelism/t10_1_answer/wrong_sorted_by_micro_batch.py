# reason: sorts each tick by micro-batch instead of stage
# says: Sort each tick by stage
# Task 10.1: the clock

def clock_cycles(m, n):
    return [[(i, k - i) for i in range(m) if 0 <= k - i < n] for k in range(m + n - 1)]
