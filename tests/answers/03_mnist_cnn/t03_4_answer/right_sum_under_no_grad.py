# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    total, count = None, 0
    for images, labels in batches:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        output = model(images)
        loss = F.nll_loss(output, labels)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            part = loss * images.shape[0]
            total = part if total is None else total + part
        count += images.shape[0]
    return float((total / count).cpu()) if count else 0.0
