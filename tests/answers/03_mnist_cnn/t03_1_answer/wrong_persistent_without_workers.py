# reason: persistent_workers on every device: without a worker DataLoader refuses it
# says: persistent_workers option needs num_workers > 0
# Task 3.1: shuffle what should be shuffled
def loader_kwargs(device_type, batch_size, test_batch_size):
    cuda = device_type == "cuda"
    common = {"num_workers": 1 if cuda else 0, "pin_memory": cuda, "persistent_workers": True}
    return {"batch_size": batch_size, "shuffle": True, **common}, {"batch_size": test_batch_size, **common}
