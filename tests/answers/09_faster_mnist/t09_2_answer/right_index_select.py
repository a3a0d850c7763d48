# Task 9.2: the data moves in
def move_in(images, labels, device):
    labels = labels.to(device)
    images = images.to(device)[:, None]
    return (images.to(torch.float32) / 255 - 0.1307) / 0.3081, labels


def batches(pixels, labels, order, batch_size):
    shuffled = torch.index_select(pixels, 0, order), torch.index_select(labels, 0, order)
    return list(zip(shuffled[0].split(batch_size), shuffled[1].split(batch_size)))
