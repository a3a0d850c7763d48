# reason: moves each array by itself and stacks on the device
# fails: t06_4_test_copies
# says: exactly 1 copy
def to_tensor(arrays, device):
    return torch.stack([torch.from_numpy(np.array(a, dtype=np.float32, order="C")).to(device) for a in arrays])
