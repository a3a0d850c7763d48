# reason: synchronises the first device, whatever device the work is on
# fails: t02_1_test_elsewhere
def honest_us(work, where):
    def measured(job):
        gpu.synchronize()
        began = gpu.clock_us()
        job()
        gpu.synchronize()
        return gpu.clock_us() - began

    return measured(work) - measured(lambda: gpu.sleep(0))
