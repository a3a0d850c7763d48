# reason: gives the result back on the CPU
# fails: t02_4_test_values
def pipeline(stages, x):
    norms = []
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for stage in stages:
        x = stage(x)
        norms.append(x.norm())
    values = torch.stack(norms).tolist() if norms else []
    return x.cpu(), values, gpu.clock_us() - began
