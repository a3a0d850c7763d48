def sharing():
    x = torch.arange(12.0).view(3, 4)
    a = x.numpy()
    results = {
        "x[0]": x[0], "x[[0, 1]]": x[[0, 1]], "x[0:2]": x[0:2], "x.T": x.T, "x.T.contiguous()": x.T.contiguous(),
        "x.contiguous()": x.contiguous(), "x.flatten()": x.flatten(), "x.T.flatten()": x.T.flatten(),
        "x.float()": x.float(), "torch.from_numpy(a)": torch.from_numpy(a), "torch.tensor(a)": torch.tensor(a),
        "np.asarray(x.T)": np.asarray(x.T),
    }
    return {name: np.shares_memory(a, np.asarray(result)) for name, result in results.items()}
