# reason: forgets that there may be fewer micro-batches than stages
# says: each F and each B once
# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    ahead = n - j
    steps = [f"F{i}" for i in range(ahead)]
    for i in range(m):
        steps.append(f"B{i}")
        if ahead + i < m:
            steps.append(f"F{ahead + i}")
    return steps
