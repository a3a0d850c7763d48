def settings(device, workers):
    kind = str(device).split(":")[0]
    switch = kind == "cuda" or kind == "sim"
    loader = dict(num_workers=workers, pin_memory=switch)
    return (loader | dict(persistent_workers=True) if workers > 0 else loader), dict(non_blocking=switch)
