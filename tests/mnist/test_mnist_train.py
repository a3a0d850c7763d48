"""The network and the two loops, against a loop written out by hand."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from syncpoint.mnist import EvalResult, LoggedLoss, Mnist, Net, evaluate, loader, normalise, train_epoch

SHAPES = {
    "conv1.weight": (32, 1, 3, 3),
    "conv1.bias": (32,),
    "conv2.weight": (64, 32, 3, 3),
    "conv2.bias": (64,),
    "fc1.weight": (128, 9216),
    "fc1.bias": (128,),
    "fc2.weight": (10, 128),
    "fc2.bias": (10,),
}


def seeded_net() -> Net:
    torch.manual_seed(1)
    return Net()


def test_the_network_has_the_published_parameters() -> None:
    model = Net()
    assert {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()} == SHAPES
    assert sum(parameter.numel() for parameter in model.parameters()) == 1_199_882


def test_the_network_computes_the_published_layers() -> None:
    torch.manual_seed(1)
    c1, c2, l1, l2 = nn.Conv2d(1, 32, 3), nn.Conv2d(32, 64, 3), nn.Linear(9216, 128), nn.Linear(128, 10)
    layers = nn.Sequential(
        c1, nn.ReLU(), c2, nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(),
        l1, nn.ReLU(), nn.Dropout(0.5), l2, nn.LogSoftmax(dim=1),
    )  # fmt: skip
    images = torch.randn(5, 1, 28, 28)
    model = seeded_net()
    for training in (False, True):  # training: the dropouts must draw the same numbers in the same places
        torch.manual_seed(7)
        ours = model.train(training)(images)
        torch.manual_seed(7)
        assert torch.equal(ours, layers.train(training)(images))


def test_an_epoch_is_the_loop_written_out(bundled: Mnist) -> None:
    batches = list(loader(bundled.train.first(80), 32, shuffle=False))
    ours, theirs = seeded_net(), seeded_net()
    logged: list[LoggedLoss] = []
    torch.manual_seed(2)
    result = train_epoch(
        ours, "cpu", batches, torch.optim.Adadelta(ours.parameters(), lr=1.0), log_interval=2, on_log=logged.append
    )
    torch.manual_seed(2)
    optimizer = torch.optim.Adadelta(theirs.train().parameters(), lr=1.0)
    losses = []
    for images, labels in batches:
        optimizer.zero_grad()
        loss = F.nll_loss(theirs(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert (result.batches, result.images) == (3, 80)
    assert result.logged == logged == [LoggedLoss(0, losses[0]), LoggedLoss(2, losses[2])]
    for name, parameter in ours.state_dict().items():
        assert torch.equal(parameter, theirs.state_dict()[name]), name


def test_the_test_is_the_mean_over_all_images(bundled: Mnist) -> None:
    model = seeded_net()
    split = bundled.test.first(70)
    result = evaluate(model, "cpu", loader(split, 32, shuffle=False))
    with torch.no_grad():
        log_probabilities = model.eval()(normalise(split.images))
    right = int((log_probabilities.argmax(1) == split.labels).sum())
    assert (result.correct, result.images) == (right, 70)
    assert result.loss == pytest.approx(float(F.nll_loss(log_probabilities, split.labels)), rel=1e-5)
    assert result.accuracy == right / 70


def test_the_test_leaves_no_gradients_and_uses_no_dropout(bundled: Mnist) -> None:
    model = seeded_net().train()
    batches = loader(bundled.test.first(64), 64, shuffle=False)
    assert evaluate(model, "cpu", batches) == evaluate(model, "cpu", batches)
    assert not model.training
    assert all(parameter.grad is None for parameter in model.parameters())


def test_a_test_without_images_says_so() -> None:
    with pytest.raises(ValueError, match="no batches"):
        evaluate(Net(), "cpu", [])


def test_a_result_reads_as_a_sentence() -> None:
    assert str(EvalResult(0.05, 9_837, 10_000)) == "loss 0.0500, 9,837 of 10,000 right (98.37%)"


def test_a_thousand_images_teach_more_than_half_of_the_digits(bundled: Mnist) -> None:
    model = seeded_net()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    train_epoch(model, "cpu", loader(bundled.train.first(1000), 64, shuffle=True), optimizer)
    assert evaluate(model, "cpu", loader(bundled.test.first(300), 300, shuffle=False)).accuracy > 0.5
