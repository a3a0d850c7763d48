# reason: believes that the host converts; a dense pinned tensor travels as it is and the device converts it
# fails: t07_1_test
def host_free(tensor, non_blocking, dtype):
    return non_blocking and tensor.is_pinned() and is_dense(tensor) and tensor.dtype == dtype
