# reason: the mean of the batches' means: the small last batch weighs as much as the others
# fails: t03_4_test_a
# says: the mean loss over 19 images
# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    losses = []
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses).mean().item() if losses else 0.0
