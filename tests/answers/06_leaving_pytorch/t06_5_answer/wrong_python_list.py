# reason: gives back a list of tensors instead of one tensor
# fails: t06_5_test_values
# says: expected a torch.Tensor
def batch_means(data, order, size):
    order = order.to(data.device)
    return [data[order[start:start + size]].mean() for start in range(0, len(order), size)]
