# reason: the worker process is ended and started anew in each epoch
# says: persistent_workers
# Task 3.1: shuffle what should be shuffled
def loader_kwargs(device_type, batch_size, test_batch_size):
    train_kwargs = {"batch_size": batch_size, "shuffle": True}
    test_kwargs = {"batch_size": test_batch_size}
    if device_type == "cuda":
        train_kwargs.update(num_workers=1, pin_memory=True)
        test_kwargs.update(num_workers=1, pin_memory=True)
    return train_kwargs, test_kwargs
