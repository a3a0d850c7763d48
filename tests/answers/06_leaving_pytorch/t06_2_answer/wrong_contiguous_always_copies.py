# reason: believes that .contiguous() and .float() copy even where nothing has to change
# fails: t06_2_test
# says: x.contiguous(): your answer
def sharing():
    return {
        "x[0]": True,
        "x[[0, 1]]": False,
        "x[0:2]": True,
        "x.T": True,
        "x.T.contiguous()": False,
        "x.contiguous()": False,
        "x.flatten()": True,
        "x.T.flatten()": False,
        "x.float()": False,
        "torch.from_numpy(a)": True,
        "torch.tensor(a)": False,
        "np.asarray(x.T)": True,
    }
