# Task 3.4: one wait for the whole epoch
def train_quietly(model, device, batches, optimizer):
    model.train()
    total = torch.zeros(1, dtype=torch.float32, device=device)
    seen = 0
    for images, labels in batches:
        images = images.to(device)
        labels = labels.to(device)
        optimizer.zero_grad(set_to_none=True)
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        total.add_(loss.detach(), alpha=len(labels))
        seen += len(labels)
    return total.tolist()[0] / max(seen, 1)
