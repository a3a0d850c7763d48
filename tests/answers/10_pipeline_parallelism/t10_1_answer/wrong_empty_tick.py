# reason: one tick too many, an empty one
# says: none is empty
# Task 10.1: the clock

def clock_cycles(m, n):
    return [[(k - j, j) for j in range(n) if 0 <= k - j < m] for k in range(m + n)]
