# reason: shuffles with an index on the CPU, so every batch copies its index and waits
# fails: t09_2_test_budget
# says: exactly 0 waits
# Task 9.2: the data moves in
def move_in(images, labels, device):
    pixels = images.to(device).unsqueeze(1).to(torch.float32)
    return pixels.div_(255).sub_(0.1307).div_(0.3081), labels.to(device)


def batches(pixels, labels, order, batch_size):
    order = order.cpu()
    for start in range(0, len(labels), batch_size):
        some = order[start : start + batch_size]
        yield pixels[some], labels[some]
