# reason: keeps the loop as it was: two waits in each round
# fails: t06_5_test_waits
# says: value read
def batch_means(data, order, size):
    means = []
    for start in range(0, len(order), size):
        batch = data[order[start:start + size]]
        means.append(batch.mean().item())
    return torch.tensor(means, dtype=data.dtype, device=data.device)
