# reason: reads the loss of every step: a wait for each batch
# fails: t09_3_test_waits
# says: exactly 1 wait
# Task 9.3: one wait for a training, one for a test
def train_quietly(model, batches, optimizer):
    model.train()
    return [step(model, optimizer, images, labels).item() for images, labels in batches]


def test_quietly(model, batches):
    model.eval()
    sums, counts, images_seen = [], [], 0
    with torch.no_grad():
        for images, labels in batches:
            output = model(images)
            sums.append(F.nll_loss(output, labels, reduction="sum"))
            counts.append((output.argmax(dim=1) == labels).sum())
            images_seen += len(labels)
    loss, correct = torch.stack([torch.stack(sums).sum(), torch.stack(counts).sum().float()]).tolist()
    return loss / images_seen, int(correct)
