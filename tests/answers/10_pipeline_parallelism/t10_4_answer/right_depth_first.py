# Task 10.4: the pipeline

def pipeline(pieces, stages, devices):
    n = len(stages)
    main = [torch.get_device_module(place).current_stream(place) for place in devices]
    results = []
    for x in pieces:
        side = [torch.Stream(place) for place in devices]
        for j, stage in enumerate(stages):
            if j:
                x, = Wait.apply(side[j], main[j], *Copy.apply(side[j - 1], side[j], x))
            x = stage(x)
            if j < n - 1:
                x, = Wait.apply(main[j], side[j], x)
        results.append(x)
    return results
