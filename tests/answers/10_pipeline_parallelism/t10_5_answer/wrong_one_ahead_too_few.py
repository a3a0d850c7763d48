# reason: counts n - j - 1 forward steps before the first backward step
# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    ahead = min(m, n - j - 1)
    steps = [f"F{i}" for i in range(ahead)]
    for i in range(m):
        steps.append(f"B{i}")
        if ahead + i < m:
            steps.append(f"F{ahead + i}")
    return steps
