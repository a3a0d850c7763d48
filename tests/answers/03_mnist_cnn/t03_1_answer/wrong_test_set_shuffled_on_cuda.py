# reason: shuffle moved out of the if for training, but left in the dict that the test loader gets too
# says: the test set is shuffled
# Task 3.1: shuffle what should be shuffled
def loader_kwargs(device_type, batch_size, test_batch_size):
    train_kwargs = {"batch_size": batch_size, "shuffle": True}
    test_kwargs = {"batch_size": test_batch_size}
    if device_type == "cuda":
        cuda_kwargs = {"num_workers": 1, "pin_memory": True, "shuffle": True, "persistent_workers": True}
        train_kwargs.update(cuda_kwargs)
        test_kwargs.update(cuda_kwargs)
    return train_kwargs, test_kwargs
