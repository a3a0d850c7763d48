# reason: reads the clock a second time before anything has waited for the stages
# fails: t02_4_test_values
# says: before the second reading
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm())
    us = gpu.clock_us() - began
    return x, torch.stack(norms).tolist() if norms else [], us
