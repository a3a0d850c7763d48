# reason: backward from the last micro-batch to the first, as in GPipe: the stages wait for each other for ever
# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    ahead = min(m, n - j)
    steps, open_ones = [f"F{i}" for i in range(ahead)], list(range(ahead))
    following = ahead
    while open_ones:
        steps.append(f"B{open_ones.pop()}")
        if following < m:
            steps.append(f"F{following}")
            open_ones.append(following)
            following += 1
    return steps
