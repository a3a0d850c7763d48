def to_tensor(arrays, device):
    block = np.empty((len(arrays), *arrays[0].shape), dtype=np.float32)
    for row, array in zip(range(len(arrays)), arrays):
        block[row, ...] = array
    return torch.from_numpy(block).to(device)
