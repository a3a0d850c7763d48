# reason: a stage takes all micro-batches in one tick
# says: works on two micro-batches
# Task 10.1: the clock

def clock_cycles(m, n):
    return [[(i, j) for i in range(m)] for j in range(n)]
