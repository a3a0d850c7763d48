# Task 2.1: an honest timer
def honest_us(work, where):
    shown = []
    for job in (work, lambda: gpu.sleep(0, where)):
        gpu.synchronize(where)
        start = gpu.clock_us()
        job()
        gpu.synchronize(where)
        shown.append(gpu.clock_us() - start)
    return shown[0] - shown[1]
