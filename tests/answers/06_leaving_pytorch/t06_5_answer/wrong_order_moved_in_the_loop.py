# reason: moves the order piece by piece, a wait in each round
# fails: t06_5_test_waits
# says: copy
def batch_means(data, order, size):
    means = []
    for start in range(0, len(order), size):
        means.append(data[order[start:start + size].to(data.device)].mean())
    return torch.stack(means) if means else data.new_empty(0)
