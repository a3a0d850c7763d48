# reason: shuffles the images and forgets the labels
# fails: t09_2_test_values
# says: expected
# Task 9.2: the data moves in
def move_in(images, labels, device):
    pixels = images.to(device).unsqueeze(1).to(torch.float32)
    return pixels.div_(255).sub_(0.1307).div_(0.3081), labels.to(device)


def batches(pixels, labels, order, batch_size):
    pixels = pixels[order]
    for start in range(0, len(labels), batch_size):
        yield pixels[start : start + batch_size], labels[start : start + batch_size]
