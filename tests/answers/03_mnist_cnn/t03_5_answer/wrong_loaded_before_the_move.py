# reason: loads the optimizer while the parameters are on the CPU, and moves the model afterwards
# fails: t03_5_test_a
# says: expected sim
# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    model.to(device)
    return checkpoint["epoch"] + 1
