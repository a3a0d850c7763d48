# reason: takes a list of indices for a slice
# fails: t06_2_test
# says: x[[0, 1]]: your answer
def sharing():
    return {
        "x[0]": True,
        "x[[0, 1]]": True,
        "x[0:2]": True,
        "x.T": True,
        "x.T.contiguous()": False,
        "x.contiguous()": True,
        "x.flatten()": True,
        "x.T.flatten()": False,
        "x.float()": True,
        "torch.from_numpy(a)": True,
        "torch.tensor(a)": False,
        "np.asarray(x.T)": True,
    }
