# reason: believes that a transpose rearranges the numbers
# fails: t06_2_test
# says: x.T: your answer
def sharing():
    return {
        "x[0]": True,
        "x[[0, 1]]": False,
        "x[0:2]": True,
        "x.T": False,
        "x.T.contiguous()": False,
        "x.contiguous()": True,
        "x.flatten()": True,
        "x.T.flatten()": False,
        "x.float()": True,
        "torch.from_numpy(a)": True,
        "torch.tensor(a)": False,
        "np.asarray(x.T)": False,
    }
