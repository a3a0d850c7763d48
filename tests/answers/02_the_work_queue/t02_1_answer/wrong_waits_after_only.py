# reason: waits before the second reading only, so older work on the list is counted
# fails: t02_1_test_known
# says: before you read the clock the first time
def honest_us(work, where):
    began = gpu.clock_us()
    work()
    gpu.synchronize(where)
    full = gpu.clock_us() - began
    began = gpu.clock_us()
    gpu.sleep(0, where)
    gpu.synchronize(where)
    return full - (gpu.clock_us() - began)
