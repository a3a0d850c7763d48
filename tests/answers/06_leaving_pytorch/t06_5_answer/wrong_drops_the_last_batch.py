# reason: leaves out the last batch when it is smaller
# fails: t06_5_test_values
# says: shape
def batch_means(data, order, size):
    full = len(order) // size
    if not full:
        return data.new_empty(0)
    mixed = data[order[:full * size].to(data.device)]
    return mixed.reshape(full, -1).mean(1)
