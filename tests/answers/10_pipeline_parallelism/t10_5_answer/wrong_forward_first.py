# reason: takes the next micro-batch before the gradient of the first one has been used: one more in memory
# says: keeps up to
# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    ahead = min(m, n - j)
    steps = [f"F{i}" for i in range(ahead)]
    for i in range(m):
        if ahead + i < m:
            steps.append(f"F{ahead + i}")
        steps.append(f"B{i}")
    return steps
