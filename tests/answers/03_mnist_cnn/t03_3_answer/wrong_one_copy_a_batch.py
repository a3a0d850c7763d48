# reason: counts the copy of the images and forgets the labels
# says: copies
# Task 3.3: predict the waits
def count_waits(train_images, test_images, batch_size, test_batch_size, log_interval, epochs):
    batches, test_batches = -(-train_images // batch_size), -(-test_images // test_batch_size)
    reads, testing = -(-batches // log_interval), 4 * test_batches
    total = epochs * (batches + reads + testing)
    return {"batches": batches, "copies": batches, "reads": reads, "testing": testing, "total": total}
