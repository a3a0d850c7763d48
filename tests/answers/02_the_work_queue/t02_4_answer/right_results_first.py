# Task 2.4: two waits
def pipeline(stages, x):
    gpu.current_stream(x.device).synchronize()
    began = gpu.clock_us()
    results = [x]
    for stage in stages:
        results.append(stage(results[-1]))
    norms = [result.norm() for result in results[1:]]
    if not norms:
        return x, [], gpu.clock_us() - began
    values = torch.stack(norms).cpu().numpy().tolist()
    return results[-1], values, gpu.clock_us() - began
