# reason: one task after the other, so nothing runs side by side
# says: ticks; 4 are enough
# Task 10.1: the clock

def clock_cycles(m, n):
    return [[(i, j)] for i in range(m) for j in range(n)]
