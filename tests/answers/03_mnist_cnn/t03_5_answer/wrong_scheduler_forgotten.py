# reason: forgets the scheduler: the learning rate falls an epoch too late
# fails: t03_5_test_a
# says: after resuming the losses are
# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"] + 1
