# reason: gives milliseconds
# fails: t02_1_test_known
def honest_us(work, where):
    start, end = torch.Event(where, enable_timing=True), torch.Event(where, enable_timing=True)
    gpu.synchronize(where)
    start.record(gpu.current_stream(where))
    work()
    end.record(gpu.current_stream(where))
    end.synchronize()
    return start.elapsed_time(end)
