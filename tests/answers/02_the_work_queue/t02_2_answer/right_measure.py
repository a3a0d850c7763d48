# Task 2.2: the typical time of a step
def typical_us(step, warmup, repeats, where):
    return sp.timer.measure(step, warmup, repeats, where).us
