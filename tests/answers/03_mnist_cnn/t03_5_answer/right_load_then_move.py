# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    state = torch.load(path, map_location=lambda storage, location: storage, weights_only=True)
    model.load_state_dict(state["model"])
    model = model.to(device)
    for name, part in (("optimizer", optimizer), ("scheduler", scheduler)):
        part.load_state_dict(state[name])
    return 1 + state["epoch"]
