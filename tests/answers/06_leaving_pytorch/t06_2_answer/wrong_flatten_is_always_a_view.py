# reason: believes that flatten needs only new strides, whatever it is applied to
# fails: t06_2_test
# says: x.T.flatten(): your answer
def sharing():
    return {
        "x[0]": True,
        "x[[0, 1]]": False,
        "x[0:2]": True,
        "x.T": True,
        "x.T.contiguous()": False,
        "x.contiguous()": True,
        "x.flatten()": True,
        "x.T.flatten()": True,
        "x.float()": True,
        "torch.from_numpy(a)": True,
        "torch.tensor(a)": False,
        "np.asarray(x.T)": True,
    }
