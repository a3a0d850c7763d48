# reason: takes every device but the CPU for an NVIDIA GPU: workers and pinned memory on a Mac
# says: mps: num_workers is 1
# Task 3.1: shuffle what should be shuffled
def loader_kwargs(device_type, batch_size, test_batch_size):
    train_kwargs = {"batch_size": batch_size, "shuffle": True}
    test_kwargs = {"batch_size": test_batch_size, "shuffle": False}
    if device_type != "cpu":
        for kwargs in (train_kwargs, test_kwargs):
            kwargs.update(num_workers=1, pin_memory=True, persistent_workers=True)
    return train_kwargs, test_kwargs
