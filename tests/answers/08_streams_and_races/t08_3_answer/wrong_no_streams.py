# reason: runs both in one stream
# fails: t08_3_test_order
# says: one after the other
def both(x, f, g):
    return f(x), g(x)
