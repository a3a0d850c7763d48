def host_free(tensor, non_blocking, dtype):
    """Dense: as many elements as lie between the first and the last one, both included."""
    reach = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))
    repeats = any(stride == 0 and size > 1 for size, stride in zip(tensor.shape, tensor.stride()))
    gaps = tensor.numel() > 0 and (reach != tensor.numel() or repeats)
    return all((non_blocking, tensor.is_pinned(), not gaps))
