# Task 1.5: a loss history with one wait
def loss_history(losses):
    if not losses:
        return np.zeros(0, dtype="float32")
    first = losses[0]
    history = torch.empty(len(losses), dtype=first.dtype, device=first.device)
    for index, loss in enumerate(losses):
        history[index] = loss.detach()  # stays on the device
    return history.cpu().numpy()
