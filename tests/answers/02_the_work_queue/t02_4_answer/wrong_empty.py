# reason: stacks an empty list, which is an error
# fails: t02_4_test_values
# says: expects a non-empty
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm())
    values = torch.stack(norms).tolist()
    return x, values, gpu.clock_us() - began
