# reason: without persistent_workers the processes are started anew in each epoch
# fails: t07_5_test
# says: anew
def settings(device, workers):
    pinned = torch.device(device).type in ("cuda", "sim")
    return {"num_workers": workers, "pin_memory": pinned}, {"non_blocking": pinned}
