# reason: reads the norms after the loop, but one at a time
# fails: t02_4_test_waits
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm())
    values = [norm.item() for norm in norms]
    return x, values, gpu.clock_us() - began
