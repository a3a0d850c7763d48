# Task 9.2: the data moves in
def move_in(images, labels, device):
    table = ((torch.arange(256, dtype=torch.uint8).float() / 255 - 0.1307) / 0.3081).to(device)
    there = images.to(device)
    return table[there.int()].reshape(len(there), 1, *there.shape[1:]), labels.to(device)


def batches(pixels, labels, order, batch_size):
    return [(pixels[some], labels[some]) for some in order.split(batch_size)]
