# reason: takes the rows as they come and forgets the order
# fails: t06_5_test_values
def batch_means(data, order, size):
    means = [data[start:start + size].mean() for start in range(0, len(order), size)]
    return torch.stack(means) if means else data.new_empty(0)
