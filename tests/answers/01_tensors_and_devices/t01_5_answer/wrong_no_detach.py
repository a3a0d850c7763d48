# reason: NumPy refuses a tensor that requires grad
# fails: t01_5_test_values
# says: requires grad
def loss_history(losses):
    if not losses:
        return np.empty(0, dtype=np.float32)
    return torch.stack(losses).cpu().numpy()
