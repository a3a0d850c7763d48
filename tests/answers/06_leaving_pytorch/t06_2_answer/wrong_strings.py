# reason: answers in words instead of truth values
# fails: t06_2_test
def sharing():
    return {
        "x[0]": "yes",
        "x[[0, 1]]": "no",
        "x[0:2]": "yes",
        "x.T": "yes",
        "x.T.contiguous()": "no",
        "x.contiguous()": "yes",
        "x.flatten()": "yes",
        "x.T.flatten()": "no",
        "x.float()": "yes",
        "torch.from_numpy(a)": "yes",
        "torch.tensor(a)": "no",
        "np.asarray(x.T)": "yes",
    }
