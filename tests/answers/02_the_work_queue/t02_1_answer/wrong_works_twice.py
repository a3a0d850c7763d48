# reason: calls work() once to warm up, which does the job twice
# fails: t02_1_test_elsewhere
# says: called work() 2 times
def honest_us(work, where):
    def measured(job):
        job()
        gpu.synchronize(where)
        began = gpu.clock_us()
        job()
        gpu.synchronize(where)
        return gpu.clock_us() - began

    return measured(work) - measured(lambda: gpu.sleep(0, where))
