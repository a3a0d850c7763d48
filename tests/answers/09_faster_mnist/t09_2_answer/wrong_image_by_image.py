# reason: moves and prepares one image after the other: a copy and a wait for each
# fails: t09_2_test_budget
# says: at most 3 copies
# Task 9.2: the data moves in
def move_in(images, labels, device):
    pixels = [image.to(device).unsqueeze(0).to(torch.float32).div(255).sub(0.1307).div(0.3081) for image in images]
    return torch.stack(pixels), labels.to(device)


def batches(pixels, labels, order, batch_size):
    pixels, labels = pixels[order], labels[order]
    for start in range(0, len(labels), batch_size):
        yield pixels[start : start + batch_size], labels[start : start + batch_size]
