# reason: total += loss keeps the graph of every step alive (and looks right: one wait, the right value)
# fails: t03_4_test_b
# says: graphs are still alive
# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    total, count = 0, 0
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss * len(images)
        count += len(images)
    return total.item() / count if count else 0.0
