# reason: the mean of the batches' means, although the last batch is smaller
# fails: t09_3_test_values
# says: the mean loss of the test
# Task 9.3: one wait for a training, one for a test
def train_quietly(model, batches, optimizer):
    model.train()
    losses = [step(model, optimizer, images, labels) for images, labels in batches]
    return torch.stack(losses).tolist() if losses else []


def test_quietly(model, batches):
    model.eval()
    means, counts = [], []
    with torch.no_grad():
        for images, labels in batches:
            output = model(images)
            means.append(F.nll_loss(output, labels))
            counts.append((output.argmax(dim=1) == labels).sum())
    loss, correct = torch.stack([torch.stack(means).mean(), torch.stack(counts).sum().float()]).tolist()
    return loss, int(correct)
