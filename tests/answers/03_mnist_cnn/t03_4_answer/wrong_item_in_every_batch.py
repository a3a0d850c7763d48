# reason: loss.item() in every batch: no graph is kept, but the host waits each time
# fails: t03_4_test_b
# says: total += loss.item() * len(images)
# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    total, count = 0.0, 0
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(images)
        count += len(images)
    return total / count if count else 0.0
