# reason: gives the fastest call, not the one in the middle
def typical_us(step, warmup, repeats, where):
    for _ in range(warmup):
        step()
    times = []
    for _ in range(repeats):
        with sp.timer(where) as t:
            step()
        times.append(t.us)
    return min(times)
