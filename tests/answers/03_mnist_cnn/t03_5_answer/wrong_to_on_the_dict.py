# reason: calls .to(device) on what torch.load gives: that is a dict
# fails: t03_5_test_a
# says: 'dict' object has no attribute 'to'
# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    checkpoint = torch.load(path, map_location="cpu").to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    return checkpoint["epoch"] + 1
