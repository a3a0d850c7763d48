# reason: the loader pins, and the copies block all the same: the second switch is missing
# fails: t07_5_test
# says: non_blocking
def settings(device, workers):
    loader = {"num_workers": workers, "pin_memory": torch.device(device).type in ("cuda", "sim")}
    if workers:
        loader["persistent_workers"] = True
    return loader, {}
