# reason: moves the float64 numbers and converts on the device: twice the bytes, and a kernel
# fails: t06_4_test_copies
# says: convert before you move
def to_tensor(arrays, device):
    return torch.from_numpy(np.stack(arrays)).to(device).float()
