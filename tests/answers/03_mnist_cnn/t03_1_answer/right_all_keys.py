# Task 3.1: shuffle what should be shuffled
def loader_kwargs(device_type, batch_size, test_batch_size):
    on_cuda = device_type == "cuda"

    def one(size, shuffle):
        return dict(batch_size=size, shuffle=shuffle, num_workers=int(on_cuda), pin_memory=on_cuda, persistent_workers=on_cuda)

    return one(batch_size, True), one(test_batch_size, False)
