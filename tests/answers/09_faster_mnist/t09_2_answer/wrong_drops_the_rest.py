# reason: leaves out the last, smaller batch
# fails: t09_2_test_values
# says: the sizes are
# Task 9.2: the data moves in
def move_in(images, labels, device):
    pixels = images.to(device).unsqueeze(1).to(torch.float32)
    return pixels.div_(255).sub_(0.1307).div_(0.3081), labels.to(device)


def batches(pixels, labels, order, batch_size):
    pixels, labels = pixels[order], labels[order]
    for number in range(len(labels) // batch_size):
        part = slice(number * batch_size, (number + 1) * batch_size)
        yield pixels[part], labels[part]
