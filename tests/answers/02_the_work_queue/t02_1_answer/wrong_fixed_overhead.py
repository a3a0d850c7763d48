# reason: subtracts the overhead of one chip as a typed number, which is another one elsewhere
# fails: t02_1_test_known
def honest_us(work, where):
    gpu.synchronize(where)
    began = gpu.clock_us()
    work()
    gpu.synchronize(where)
    return gpu.clock_us() - began - 15
