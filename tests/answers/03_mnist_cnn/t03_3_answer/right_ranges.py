# Task 3.3: predict the waits
def count_waits(train_images, test_images, batch_size, test_batch_size, log_interval, epochs):
    def up(a, b):
        return (a + b - 1) // b

    batches, test_batches = up(train_images, batch_size), up(test_images, test_batch_size)
    copies, reads, testing = 2 * batches, up(batches, log_interval), 2 * test_batches + 2 * test_batches
    return dict(batches=batches, copies=copies, reads=reads, testing=testing, total=(copies + reads + testing) * epochs)
