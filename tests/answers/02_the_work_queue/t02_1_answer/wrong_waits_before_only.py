# reason: waits before the work only, so the work itself is not seen
# fails: t02_1_test_known
# says: before you read the clock the second time
def honest_us(work, where):
    gpu.synchronize(where)
    began = gpu.clock_us()
    work()
    return gpu.clock_us() - began
