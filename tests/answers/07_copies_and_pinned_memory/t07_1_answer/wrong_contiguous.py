# reason: takes contiguous for dense; a transposed pinned matrix has no gaps and goes as it is
# fails: t07_1_test
def host_free(tensor, non_blocking, dtype):
    return non_blocking and tensor.is_pinned() and tensor.is_contiguous()
