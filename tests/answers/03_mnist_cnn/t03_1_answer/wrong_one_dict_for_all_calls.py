# reason: the dicts are made once, at import, so a change to one result changes the next
# says: each call must give fresh dicts
# Task 3.1: shuffle what should be shuffled
_MADE = {}


def loader_kwargs(device_type, batch_size, test_batch_size):
    key = device_type, batch_size, test_batch_size
    if key not in _MADE:
        shared = {"num_workers": 1, "pin_memory": True, "persistent_workers": True} if device_type == "cuda" else {}
        _MADE[key] = {"batch_size": batch_size, "shuffle": True, **shared}, {"batch_size": test_batch_size, **shared}
    return _MADE[key]
