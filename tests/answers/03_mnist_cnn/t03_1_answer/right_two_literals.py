# Task 3.1: shuffle what should be shuffled
def loader_kwargs(device_type, batch_size, test_batch_size):
    shared = {}
    if device_type == "cuda":
        shared = {"num_workers": 1, "pin_memory": True, "persistent_workers": True}
    return {"batch_size": batch_size, "shuffle": True, **shared}, {"batch_size": test_batch_size, **shared}
