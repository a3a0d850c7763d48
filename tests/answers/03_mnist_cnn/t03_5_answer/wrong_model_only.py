# reason: resumes the parameters alone: the optimizer's memory and the learning rate start anew
# fails: t03_5_test_a
# says: no tensor
# Task 3.5: resume on any device
def resume(path, model, optimizer, scheduler, device):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    model.to(device)
    return checkpoint["epoch"] + 1
