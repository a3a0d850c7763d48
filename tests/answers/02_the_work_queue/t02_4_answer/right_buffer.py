# Task 2.4: two waits
def pipeline(stages, x):
    norms = torch.empty(len(stages), device=x.device, dtype=x.dtype)
    gpu.synchronize(x.device)
    began = gpu.clock_us()
    for n, stage in enumerate(stages):
        x = stage(x)
        norms[n] = x.norm()
    found = norms.cpu()
    return x, [float(norm) for norm in found], gpu.clock_us() - began
