# reason: torch.tensor of a list of device tensors fetches them one by one, without a word
# fails: t01_5_test_waits
# says: 3
def loss_history(losses):
    if not losses:
        return np.empty(0, dtype=np.float32)
    return torch.tensor([loss.detach() for loss in losses], dtype=losses[0].dtype).numpy()
