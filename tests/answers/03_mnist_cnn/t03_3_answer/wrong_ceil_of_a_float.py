# reason: divides with /, which is not exact for large numbers
# says: 10**17
# Task 3.3: predict the waits
import math


def count_waits(train_images, test_images, batch_size, test_batch_size, log_interval, epochs):
    batches, test_batches = math.ceil(train_images / batch_size), math.ceil(test_images / test_batch_size)
    reads, testing = math.ceil(batches / log_interval), 4 * test_batches
    total = epochs * (2 * batches + reads + testing)
    return {"batches": batches, "copies": 2 * batches, "reads": reads, "testing": testing, "total": total}
