def to_tensor(arrays, device):
    return torch.from_numpy(np.array(arrays, dtype=np.float32)).to(device)
