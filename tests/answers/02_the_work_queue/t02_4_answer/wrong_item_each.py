# reason: reads each norm in the loop
# fails: t02_4_test_waits
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm().item())
    return x, norms, gpu.clock_us() - began
