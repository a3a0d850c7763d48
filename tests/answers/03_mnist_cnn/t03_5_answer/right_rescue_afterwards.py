# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    with open(path, "rb") as file:
        saved = torch.load(file, map_location=torch.device("cpu"))
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    scheduler.load_state_dict(saved["scheduler"])
    model.to(device)
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if name != "step" and torch.is_tensor(value):
                state[name] = value.to(parameter.device)
    return saved["epoch"] + 1
