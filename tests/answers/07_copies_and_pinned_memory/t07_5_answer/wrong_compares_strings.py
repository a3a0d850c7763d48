# reason: "cuda:1" is not equal to "cuda"
# fails: t07_5_test
def settings(device, workers):
    pinned = str(device) in ("cuda", "sim")
    loader = {"num_workers": workers, "pin_memory": pinned}
    if workers:
        loader["persistent_workers"] = True
    return loader, {"non_blocking": pinned}
