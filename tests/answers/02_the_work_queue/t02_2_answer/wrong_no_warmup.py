# reason: measures the first call as well
# says: should be
def typical_us(step, warmup, repeats, where):
    times = []
    for _ in range(repeats):
        with sp.timer(where) as t:
            step()
        times.append(t.us)
    return statistics.median(times)
