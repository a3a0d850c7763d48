# reason: one copy stream for each stage, so a result that goes out stands in the way of the next that comes in
# fails: t10_4_test_time
# says: by the formula
# Task 10.4: the pipeline

def pipeline(pieces, stages, devices):
    pieces, m, n = list(pieces), len(pieces), len(stages)
    computing = [torch.get_device_module(place).current_stream(place) for place in devices]
    copying = [[torch.Stream(place) for place in devices]] * m
    for tick in clock_cycles(m, n):
        for i, j in tick:
            x = pieces[i]
            if j > 0:
                (x,) = Copy.apply(copying[i][j - 1], copying[i][j], x)
                (x,) = Wait.apply(copying[i][j], computing[j], x)
            x = stages[j](x)
            if j < n - 1:
                (x,) = Wait.apply(computing[j], copying[i][j], x)
            pieces[i] = x
    return pieces
