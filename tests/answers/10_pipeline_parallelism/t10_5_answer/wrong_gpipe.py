# reason: GPipe's order: all forward, then all backward
# says: keeps up to
# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    return [f"F{i}" for i in range(m)] + [f"B{i}" for i in range(m)]
