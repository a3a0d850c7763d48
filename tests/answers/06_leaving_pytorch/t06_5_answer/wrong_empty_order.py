# reason: torch.stack refuses an empty list, so an empty order raises
# fails: t06_5_test_values
# says: stack
def batch_means(data, order, size):
    order = order.to(data.device)
    return torch.stack([data[order[start:start + size]].mean() for start in range(0, len(order), size)])
