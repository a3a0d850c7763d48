# reason: believes that pinned memory alone makes a copy asynchronous, so the waits of blocking copies are missed
# fails: t07_1_test
def host_free(tensor, non_blocking, dtype):
    return tensor.is_pinned()
