# reason: persistent_workers without workers is an error of the DataLoader
# fails: t07_5_test
def settings(device, workers):
    pinned = torch.device(device).type in ("cuda", "sim")
    return {"num_workers": workers, "pin_memory": pinned, "persistent_workers": True}, {"non_blocking": pinned}
