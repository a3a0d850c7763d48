# Task 10.4: the pipeline

def pipeline(pieces, stages, devices):
    values, last = dict(enumerate(pieces)), len(stages) - 1
    compute = {j: torch.get_device_module(d).current_stream(d) for j, d in enumerate(devices)}
    streams = {}

    def stream(i, j):
        if (i, j) not in streams:
            streams[i, j] = torch.Stream(devices[j])
        return streams[i, j]

    for tick in clock_cycles(len(values), len(stages)):
        arrivals = [(i, j) for i, j in tick if j > 0]
        for i, j in arrivals:
            values[i] = Copy.apply(stream(i, j - 1), stream(i, j), values[i])[0]
        for i, j in arrivals:
            values[i] = Wait.apply(stream(i, j), compute[j], values[i])[0]
        for i, j in tick:
            values[i] = stages[j](values[i])
        for i, j in tick:
            if j != last:
                values[i] = Wait.apply(compute[j], stream(i, j), values[i])[0]
    return [values[i] for i in sorted(values)]
