def batch_means(data, order, size):
    order = order.to(data.device)
    result = data.new_empty((len(order) + size - 1) // size)
    if len(result):
        torch.stack([part.mean() for part in data[order].split(size)], out=result)
    return result
