# reason: always leaves out one call, whatever warmup says
def typical_us(step, warmup, repeats, where):
    step()
    times = []
    for _ in range(repeats):
        with sp.timer(where) as t:
            step()
        times.append(t.us)
    return statistics.median(times)
