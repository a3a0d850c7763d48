# reason: calls .numpy() on a tensor that is still on the device
# fails: t01_5_test_waits
# says: to numpy
def loss_history(losses):
    if not losses:
        return np.empty(0, dtype=np.float32)
    return torch.stack(losses).detach().numpy()
