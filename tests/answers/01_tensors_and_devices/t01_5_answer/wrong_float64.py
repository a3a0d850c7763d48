# reason: a list of Python numbers becomes float64, not the losses' own dtype
# fails: t01_5_test_values
def loss_history(losses):
    if not losses:
        return np.empty(0, dtype=np.float32)
    return np.array(torch.stack(losses).tolist())
