# reason: a strided view of pinned memory says is_pinned(), and is gathered into pageable memory before it goes
# fails: t07_1_test
# says: pageable memory
def host_free(tensor, non_blocking, dtype):
    return non_blocking and tensor.is_pinned()
