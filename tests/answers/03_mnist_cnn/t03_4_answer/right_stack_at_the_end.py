# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    losses, sizes = [], []
    for images, labels in batches:
        optimizer.zero_grad()
        loss = F.nll_loss(model(images.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        sizes.append(len(images))
    if not losses:
        return 0.0
    numbers = torch.stack(losses).tolist()  # the one wait
    return sum(n * size for n, size in zip(numbers, sizes)) / sum(sizes)
