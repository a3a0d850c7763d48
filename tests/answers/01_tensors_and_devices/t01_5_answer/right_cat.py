# Task 1.5: a loss history with one wait
def loss_history(losses):
    if len(losses) == 0:
        return np.array([], dtype=np.float32)
    together = torch.cat([loss.detach().reshape(1) for loss in losses])
    return together.to("cpu").numpy()
