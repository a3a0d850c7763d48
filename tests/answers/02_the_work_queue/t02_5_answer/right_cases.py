# Task 2.5: two closed forms
def t_sync(n, t1, t2, t3):
    return n * (t1 + t2 + t3)


def t_async(n, t1, t2, t3):
    if n == 0:
        return 0
    if t2 >= t1:
        return t1 + n * t2 + t3
    return n * t1 + t2 + t3
