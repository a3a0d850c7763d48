# Task 3.3: predict the waits
def pieces(things, size):
    whole, rest = divmod(things, size)
    return whole + (rest > 0)


def count_waits(train_images, test_images, batch_size, test_batch_size, log_interval, epochs):
    result = {"batches": pieces(train_images, batch_size)}
    result["copies"] = result["batches"] * 2
    result["reads"] = pieces(result["batches"], log_interval)
    result["testing"] = pieces(test_images, test_batch_size) * 4
    result["total"] = epochs * sum(result[part] for part in ("copies", "reads", "testing"))
    return result
