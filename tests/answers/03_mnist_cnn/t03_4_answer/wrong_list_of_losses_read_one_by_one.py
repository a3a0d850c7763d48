# reason: keeps detached losses in a list, and reads each one by itself at the end: a wait for each
# fails: t03_4_test_b
# says: .item()
# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    losses, sizes = [], []
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        sizes.append(len(images))
    return sum(loss.item() * n for loss, n in zip(losses, sizes)) / max(sum(sizes), 1)
