# reason: reads the clock without waiting, so it measures a launch
# fails: t02_1_test_known
# says: before you read the clock the second time
def honest_us(work, where):
    began = gpu.clock_us()
    work()
    return gpu.clock_us() - began
