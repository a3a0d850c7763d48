# reason: forgets model.eval(), so dropout stays on in the test
# fails: t09_3_test_values
# says: the mean loss of the test
# Task 9.3: one wait for a training, one for a test
def train_quietly(model, batches, optimizer):
    model.train()
    losses = [step(model, optimizer, images, labels) for images, labels in batches]
    return torch.stack(losses).tolist() if losses else []


def test_quietly(model, batches):
    sums, counts, images_seen = [], [], 0
    with torch.no_grad():
        for images, labels in batches:
            output = model(images)
            sums.append(F.nll_loss(output, labels, reduction="sum"))
            counts.append((output.argmax(dim=1) == labels).sum())
            images_seen += len(labels)
    loss, correct = torch.stack([torch.stack(sums).sum(), torch.stack(counts).sum().float()]).tolist()
    return loss / images_seen, int(correct)
