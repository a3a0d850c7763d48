def host_free(tensor, non_blocking, dtype):
    if not non_blocking:
        return False
    if not tensor.is_pinned():
        return False
    return is_dense(tensor)
