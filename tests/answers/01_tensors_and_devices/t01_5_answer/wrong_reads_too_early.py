# reason: a non-blocking copy to the CPU is read before anybody has waited for it
# fails: t01_5_test_waits
# says: expected exactly 1 wait
def loss_history(losses):
    if not losses:
        return np.empty(0, dtype=np.float32)
    return torch.stack(losses).detach().to("cpu", non_blocking=True).numpy()
