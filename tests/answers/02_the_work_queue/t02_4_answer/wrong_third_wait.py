# reason: synchronises at the end although fetching the norms waits already
# fails: t02_4_test_waits
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm())
    gpu.synchronize(x.device)
    us = gpu.clock_us() - began
    return x, torch.stack(norms).tolist() if norms else [], us
