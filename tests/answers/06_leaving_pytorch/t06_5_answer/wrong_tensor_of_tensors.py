# reason: torch.tensor fetches the means one by one from the device
# fails: t06_5_test_waits
# says: value read
def batch_means(data, order, size):
    order = order.to(data.device)
    means = [data[order[start:start + size]].mean() for start in range(0, len(order), size)]
    return torch.tensor(means, dtype=data.dtype, device=data.device)
