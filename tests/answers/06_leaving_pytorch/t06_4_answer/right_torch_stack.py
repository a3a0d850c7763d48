def to_tensor(arrays, device):
    # negative strides are unknown to PyTorch, so the arrays are made contiguous; then they are stacked on the CPU
    parts = [torch.from_numpy(np.array(array, dtype=np.float32, order="C")) for array in arrays]
    return torch.stack(parts).to(device)
