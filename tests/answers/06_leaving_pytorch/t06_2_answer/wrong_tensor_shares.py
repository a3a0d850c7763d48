# reason: believes that torch.tensor takes over an array's memory, as from_numpy does
# fails: t06_2_test
# says: torch.tensor(a): your answer
def sharing():
    return {
        "x[0]": True,
        "x[[0, 1]]": False,
        "x[0:2]": True,
        "x.T": True,
        "x.T.contiguous()": False,
        "x.contiguous()": True,
        "x.flatten()": True,
        "x.T.flatten()": False,
        "x.float()": True,
        "torch.from_numpy(a)": True,
        "torch.tensor(a)": True,
        "np.asarray(x.T)": True,
    }
