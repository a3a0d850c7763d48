# reason: takes the mean, which one disturbed call moves
def typical_us(step, warmup, repeats, where):
    for _ in range(warmup):
        step()
    times = []
    for _ in range(repeats):
        with sp.timer(where) as t:
            step()
        times.append(t.us)
    return sum(times) / len(times)
