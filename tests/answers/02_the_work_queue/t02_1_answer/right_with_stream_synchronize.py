# Task 2.1: an honest timer
def honest_us(work, where):
    stream = gpu.current_stream(where)

    def clock():
        stream.synchronize()
        return gpu.clock_us()

    start = clock()
    work()
    middle = clock()
    gpu.sleep(0, where)
    return (middle - start) - (clock() - middle)
