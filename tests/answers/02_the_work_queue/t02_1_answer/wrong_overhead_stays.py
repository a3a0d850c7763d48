# reason: does not subtract its own overhead
# fails: t02_1_test_known
# says: gpu.sleep(0, where)
def honest_us(work, where):
    gpu.synchronize(where)
    began = gpu.clock_us()
    work()
    gpu.synchronize(where)
    return gpu.clock_us() - began
