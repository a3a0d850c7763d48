# reason: gives back the norms as tensors on the device
# fails: t02_4_test_values
# says: python floats
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm())
    gpu.synchronize(x.device)
    return x, norms, gpu.clock_us() - began
