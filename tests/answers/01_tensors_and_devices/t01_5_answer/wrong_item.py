# reason: reads every loss by itself with .item(), so the host waits once for each
# fails: t01_5_test_waits
# says: .item()
def loss_history(losses):
    if not losses:
        return np.empty(0, dtype=np.float32)
    dtype = torch.empty(0, dtype=losses[0].dtype).numpy().dtype
    return np.array([loss.item() for loss in losses], dtype=dtype)
