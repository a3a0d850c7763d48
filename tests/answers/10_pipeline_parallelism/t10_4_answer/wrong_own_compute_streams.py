# reason: gives each task a compute stream of its own, so a stage works on several micro-batches at once
# fails: t10_4_test_time
# Task 10.4: the pipeline

def pipeline(pieces, stages, devices):
    results, n = [], len(stages)
    for x in pieces:
        streams = [torch.Stream(place) for place in devices]
        for stream, place in zip(streams, devices):
            stream.wait_stream(torch.get_device_module(place).current_stream(place))
        for j in range(n):
            if j > 0:
                (x,) = Copy.apply(streams[j - 1], streams[j], x)
            with streams[j]:
                x = stages[j](x)
        torch.get_device_module(devices[-1]).current_stream(devices[-1]).wait_stream(streams[-1])
        x.record_stream(torch.get_device_module(devices[-1]).current_stream(devices[-1]))
        results.append(x)
    return results
