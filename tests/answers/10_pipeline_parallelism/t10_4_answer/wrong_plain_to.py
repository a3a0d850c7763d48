# reason: copies with .to(): right, but in the queues of the stages
# fails: t10_4_test_time
# says: by the formula
# Task 10.4: the pipeline

def pipeline(pieces, stages, devices):
    pieces, m, n = list(pieces), len(pieces), len(stages)
    for tick in clock_cycles(m, n):
        for i, j in tick:
            pieces[i] = pieces[i].to(devices[j])
        for i, j in tick:
            pieces[i] = stages[j](pieces[i])
    return pieces
