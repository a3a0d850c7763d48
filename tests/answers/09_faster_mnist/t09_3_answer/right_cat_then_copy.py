# Task 9.3: one wait for a training, one for a test
def train_quietly(model, batches, optimizer):
    model.train()
    seen = [step(model, optimizer, *pair).reshape(1) for pair in batches]
    return torch.cat(seen).cpu().numpy().tolist() if seen else []


@torch.no_grad()
def test_quietly(model, batches):
    model.train(False)
    outputs, answers = [], []
    for images, labels in batches:
        outputs.append(model(images))
        answers.append(labels)
    output, labels = torch.cat(outputs), torch.cat(answers)
    correct = (output.argmax(dim=1) == labels).sum()
    numbers = torch.stack([F.nll_loss(output, labels), correct.to(output.dtype)]).cpu()
    return numbers[0].item(), int(numbers[1].item())
