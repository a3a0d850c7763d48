# reason: forgets that the first launch, or the last job, has nothing beside it
# fails: t02_5_test_async
def t_sync(n, t1, t2, t3):
    return n * (t1 + t2 + t3)


def t_async(n, t1, t2, t3):
    return max(n * t1, n * t2) + t3
