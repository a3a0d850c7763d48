# reason: knows only the case in which the device is the slower one
# fails: t02_5_test_async
def t_sync(n, t1, t2, t3):
    return n * (t1 + t2 + t3)


def t_async(n, t1, t2, t3):
    return t1 + n * t2 + t3 if n else 0
