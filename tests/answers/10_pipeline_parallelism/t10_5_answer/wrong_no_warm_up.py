# reason: F and B in turn from the start, on all stages
# says: keeps up to
# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    return [f"{kind}{i}" for i in range(m) for kind in "FB"]
