# Task 9.3: one wait for a training, one for a test
def train_quietly(model, batches, optimizer):
    losses = []
    model.train()
    for images, labels in batches:
        losses += [step(model, optimizer, images, labels)]
    if not losses:
        return []
    return [float(loss) for loss in torch.stack(losses).cpu()]


def test_quietly(model, batches):
    model.eval()
    sums, seen = None, 0
    for images, labels in batches:
        with torch.no_grad():
            output = model(images)
            right = output.argmax(1).eq(labels).float().sum()
            here = torch.stack([F.nll_loss(output, labels) * len(labels), right])
        sums = here if sums is None else sums + here
        seen += len(labels)
    loss, correct = sums.cpu().tolist()
    return loss / seen, round(correct)
