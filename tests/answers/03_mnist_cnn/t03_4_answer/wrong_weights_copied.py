# reason: torch.tensor(sizes, device=device) copies from pageable memory: a second wait
# fails: t03_4_test_b
# says: torch.tensor(sizes
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
        sizes.append(float(len(images)))
    if not losses:
        return 0.0
    weights = torch.tensor(sizes, device=device)
    return ((torch.stack(losses) * weights).sum() / sum(sizes)).item()
