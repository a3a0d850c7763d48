# reason: puts the operations together into one factor and one shift, so the last bits differ
# fails: t09_2_test_values
# says: differ
# Task 9.2: the data moves in
def move_in(images, labels, device):
    pixels = images.to(device).unsqueeze(1).to(torch.float32)
    return pixels * (1 / (255 * 0.3081)) - 0.1307 / 0.3081, labels.to(device)


def batches(pixels, labels, order, batch_size):
    pixels, labels = pixels[order], labels[order]
    for start in range(0, len(labels), batch_size):
        yield pixels[start : start + batch_size], labels[start : start + batch_size]
