# reason: measures the loss but never takes a step
# fails: t03_4_test_a
# says: the mean loss over 19 images
# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    total, count = torch.zeros((), device=device), 0
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        with torch.no_grad():
            total += F.nll_loss(model(images), labels) * len(images)
        count += len(images)
    return total.item() / count if count else 0.0
