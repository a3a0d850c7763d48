# reason: brings the data to the CPU, and the result stays there
# fails: t06_5_test_waits
def batch_means(data, order, size):
    data = data.cpu()
    means = [data[order[start:start + size]].mean() for start in range(0, len(order), size)]
    return torch.stack(means) if means else data.new_empty(0)
