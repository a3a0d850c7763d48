# reason: believes the word non_blocking: pageable memory is staged by the host all the same
# fails: t07_1_test
def host_free(tensor, non_blocking, dtype):
    return non_blocking
