# reason: loss.detach().cpu() looks tidy, and is a blocking copy in every batch
# fails: t03_4_test_b
# says: .cpu()
# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    total, count = torch.zeros(()), 0
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.detach().cpu() * len(images)
        count += len(images)
    return total.item() / count if count else 0.0
