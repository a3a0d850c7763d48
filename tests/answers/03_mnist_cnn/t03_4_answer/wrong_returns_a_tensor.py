# reason: gives back the tensor on the device and leaves the reading to the caller
# fails: t03_4_test_a
# says: tensor
# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    total, count = torch.zeros((), device=device), 0
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.detach() * len(images)
        count += len(images)
    return total / max(count, 1)
