def to_tensor(arrays, device):
    return torch.as_tensor(np.stack(arrays, dtype=np.float32, casting="unsafe"), device=device)
