# reason: uses the textbook's condition, which is a little too wide: between the two, the host is the slower one
# fails: t02_5_test_async
def t_sync(n, t1, t2, t3):
    return n * (t1 + t2 + t3)


def t_async(n, t1, t2, t3):
    if n == 0:
        return 0
    return t1 + n * t2 + t3 if n * t2 > (n - 1) * t1 else n * t1 + t2 + t3
