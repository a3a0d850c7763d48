def batch_means(data, order, size):
    rows = order.to(data.device)
    count = -(-len(order) // size)
    means = torch.empty(count, dtype=data.dtype, device=data.device)
    for n in range(count):
        means[n] = data.index_select(0, rows[n * size:(n + 1) * size]).mean()
    return means
