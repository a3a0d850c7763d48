def sharing():
    names = [
        "x[0]", "x[[0, 1]]", "x[0:2]", "x.T", "x.T.contiguous()", "x.contiguous()", "x.flatten()", "x.T.flatten()",
        "x.float()", "torch.from_numpy(a)", "torch.tensor(a)", "np.asarray(x.T)",
    ]
    copies = {"x[[0, 1]]", "x.T.contiguous()", "x.T.flatten()", "torch.tensor(a)"}
    return {name: name not in copies for name in names}
