# reason: makes decimals of labels, too
# fails: t01_3_test_values
# says: torch.int64
def prepare(array, device):
    return torch.from_numpy(np.asarray(array, dtype=np.float32, order="C")).to(device)
