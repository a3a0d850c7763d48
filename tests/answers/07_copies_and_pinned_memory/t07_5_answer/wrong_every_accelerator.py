# reason: pins for every accelerator; on a Mac pinning means nothing
# fails: t07_5_test
# says: mps
def settings(device, workers):
    accelerator = torch.device(device).type != "cpu"
    loader = {"num_workers": workers, "pin_memory": accelerator}
    if workers:
        loader["persistent_workers"] = True
    return loader, {"non_blocking": accelerator}
