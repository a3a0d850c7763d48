# reason: does not wait before the first reading, so older work is counted
# fails: t02_4_test_values
# says: before the first reading
def pipeline(stages, x):
    norms = []
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm())
    values = torch.stack(norms).tolist() if norms else []
    return x, values, gpu.clock_us() - began
