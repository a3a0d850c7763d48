# reason: lets launch and job overlap although the host waits in between
# fails: t02_5_test_sync
def t_sync(n, t1, t2, t3):
    return n * (max(t1, t2) + t3)


def t_async(n, t1, t2, t3):
    return t1 + (n - 1) * max(t1, t2) + t2 + t3 if n else 0
