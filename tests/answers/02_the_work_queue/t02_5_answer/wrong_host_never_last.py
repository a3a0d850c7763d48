# reason: forgets the last job when the host is the slower one
# fails: t02_5_test_async
def t_sync(n, t1, t2, t3):
    return n * (t1 + t2 + t3)


def t_async(n, t1, t2, t3):
    return t1 + n * t2 + t3 if t2 >= t1 else n * t1 + t3
