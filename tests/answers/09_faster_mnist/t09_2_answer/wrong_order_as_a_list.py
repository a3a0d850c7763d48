# reason: makes a Python list of the order and looks up image by image
# fails: t09_2_test_budget
# says: exactly 0 waits
# Task 9.2: the data moves in
def move_in(images, labels, device):
    pixels = images.to(device).unsqueeze(1).to(torch.float32)
    return pixels.div_(255).sub_(0.1307).div_(0.3081), labels.to(device)


def batches(pixels, labels, order, batch_size):
    places = order.tolist()
    for start in range(0, len(places), batch_size):
        some = places[start : start + batch_size]
        yield torch.stack([pixels[i] for i in some]), torch.stack([labels[i] for i in some])
