# reason: prepares on the host, so four times as many bytes are copied
# fails: t09_2_test_budget
# says: bytes were copied
# Task 9.2: the data moves in
def move_in(images, labels, device):
    pixels = images.unsqueeze(1).to(torch.float32).div_(255).sub_(0.1307).div_(0.3081)
    return pixels.to(device), labels.to(device)


def batches(pixels, labels, order, batch_size):
    pixels, labels = pixels[order], labels[order]
    for start in range(0, len(labels), batch_size):
        yield pixels[start : start + batch_size], labels[start : start + batch_size]
