# reason: takes one of the two values in the middle when repeats is even
def typical_us(step, warmup, repeats, where):
    for _ in range(warmup):
        step()
    times = []
    for _ in range(repeats):
        with sp.timer(where) as t:
            step()
        times.append(t.us)
    return sorted(times)[repeats // 2]
