# reason: believes that the test loop reads its numbers once at the end, not twice a batch
# says: testing
# Task 3.3: predict the waits
def count_waits(train_images, test_images, batch_size, test_batch_size, log_interval, epochs):
    batches, test_batches = -(-train_images // batch_size), -(-test_images // test_batch_size)
    reads, testing = -(-batches // log_interval), 2 * test_batches + 2
    total = epochs * (2 * batches + reads + testing)
    return {"batches": batches, "copies": 2 * batches, "reads": reads, "testing": testing, "total": total}
