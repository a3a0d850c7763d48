# reason: times all calls together and divides, which is the mean
def typical_us(step, warmup, repeats, where):
    for _ in range(warmup):
        step()
    with sp.timer(where) as t:
        for _ in range(repeats):
            step()
    return t.us / repeats
