# reason: writes (stage, micro-batch), as one of the two conventions of the original does
# says: micro-batch comes first
# Task 10.1: the clock

def clock_cycles(m, n):
    return [[(j, k - j) for j in range(n) if 0 <= k - j < m] for k in range(m + n - 1)]
