# reason: gives back the epoch that is done already, so it would be trained twice
# fails: t03_5_test_a
# says: the next epoch
# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    return checkpoint["epoch"]
