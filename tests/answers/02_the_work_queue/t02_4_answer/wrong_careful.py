# reason: synchronises around each stage to be safe
# fails: t02_4_test_waits
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        gpu.synchronize(x.device)
        x = stage(x)
        gpu.synchronize(x.device)
        norms.append(x.norm().item())
    return x, norms, gpu.clock_us() - began
