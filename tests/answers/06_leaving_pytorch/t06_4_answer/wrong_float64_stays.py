# reason: keeps NumPy's float64
# fails: t06_4_test_values, t06_4_test_copies
# says: torch.float32
def to_tensor(arrays, device):
    return torch.from_numpy(np.stack(arrays)).to(device)
