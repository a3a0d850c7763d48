# reason: moves every tensor of the state to the device by hand, the step counter too
# fails: t03_5_test_b
# says: step counters are on ['sim:0']
# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    model.to(device)
    optimizer.load_state_dict(checkpoint["optimizer"])
    for state in optimizer.state.values():
        for name, value in state.items():
            if torch.is_tensor(value):
                state[name] = value.to(device)
    scheduler.load_state_dict(checkpoint["scheduler"])
    return checkpoint["epoch"] + 1
