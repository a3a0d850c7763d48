# reason: copies every loss to the CPU by itself
# fails: t01_5_test_waits
# says: .cpu()
def loss_history(losses):
    if not losses:
        return np.empty(0, dtype=np.float32)
    return np.array([loss.detach().cpu().numpy() for loss in losses])
