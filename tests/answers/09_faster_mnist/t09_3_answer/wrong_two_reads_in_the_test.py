# reason: reads the loss and the count of the test separately
# fails: t09_3_test_waits
# says: exactly 1 wait
# Task 9.3: one wait for a training, one for a test
def train_quietly(model, batches, optimizer):
    model.train()
    losses = [step(model, optimizer, images, labels) for images, labels in batches]
    return torch.stack(losses).tolist() if losses else []


def test_quietly(model, batches):
    model.eval()
    total = correct = images_seen = 0
    with torch.no_grad():
        for images, labels in batches:
            output = model(images)
            total += F.nll_loss(output, labels, reduction="sum")
            correct += (output.argmax(dim=1) == labels).sum()
            images_seen += len(labels)
    return total.item() / images_seen, correct.item()
