# reason: does not think of 0 steps
# fails: t02_5_test_async
def t_sync(n, t1, t2, t3):
    return n * (t1 + t2 + t3)


def t_async(n, t1, t2, t3):
    return t1 + (n - 1) * max(t1, t2) + t2 + t3
