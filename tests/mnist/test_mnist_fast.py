"""The fast epoch: the plain loops' losses and accuracy, with one wait and at most 45 device operators a step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from torch import nn

import syncpoint as sp
from syncpoint.mnist import (
    Cut,
    EvalResult,
    Mnist,
    Net,
    Split,
    TrainResult,
    evaluate,
    evaluate_fast,
    fast_optimizer,
    load,
    loader,
    loader_order,
    move_in,
    normalise,
    read_epoch,
    send,
    train_epoch,
    train_fast,
)
from syncpoint.mnist.__main__ import main

BUDGET_WAITS = 2  # an epoch, test included
BUDGET_OPERATORS = 45  # a training step
DEVICES = ["cpu", "sim"]
if torch.cuda.is_available():
    DEVICES.append("cuda")
if torch.backends.mps.is_available():
    DEVICES.append("mps")


@pytest.fixture
def device(request: pytest.FixtureRequest) -> torch.device:
    if request.param == "sim":
        sp.sim.use(chip="T4")
    return torch.device(request.param)


on_every_device = pytest.mark.parametrize("device", DEVICES, indirect=True)
on_sim = pytest.mark.parametrize("device", ["sim"], indirect=True)
Epoch = tuple[TrainResult, EvalResult]


def plain(
    train: Split, test: Split, device: torch.device, epochs: int, network: type[nn.Module] = Net
) -> tuple[list[Epoch], sp.Trace]:
    """The plain loops: what they found, and a trace of the last epoch."""
    torch.manual_seed(1)
    model = network().to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    train_batches, test_batches = loader(train, 64, shuffle=True), loader(test, 1000, shuffle=False)
    found = []
    for _ in range(epochs):
        with sp.trace(device) as trace:
            trained = train_epoch(model, device, train_batches, optimizer, log_interval=1)
            found.append((trained, evaluate(model, device, test_batches)))
    return found, trace


def fast(
    train: Split, test: Split, device: torch.device, epochs: int, network: type[nn.Module] = Net
) -> tuple[list[Epoch], sp.Trace]:
    """The same with the fast functions."""
    torch.manual_seed(1)
    model = network().to(device)
    optimizer = fast_optimizer(model, lr=1.0)
    inside, test_inside = move_in(train, device), move_in(test, device)
    found = []
    for _ in range(epochs):
        with sp.trace(device) as trace:
            order = send(loader_order(len(inside), shuffle=True), device)
            losses = train_fast(model, Cut(inside, 64, order), optimizer)
            loader_order(len(test_inside), shuffle=False)
            tests = evaluate_fast(model, Cut(test_inside, 1000))
            found.append(read_epoch(losses, tests, len(inside), len(test_inside), log_interval=1))
    return found, trace


def assert_same(ours: list[Epoch], theirs: list[Epoch]) -> None:
    for (trained, tested), (plainly, plainly_tested) in zip(ours, theirs, strict=True):
        assert (trained.batches, trained.images) == (plainly.batches, plainly.images)
        assert [logged.batch for logged in trained.logged] == [logged.batch for logged in plainly.logged]
        for one, other in zip(trained.logged, plainly.logged, strict=True):
            assert one.loss == pytest.approx(other.loss, abs=1e-5), f"batch {one.batch}"
        assert tested.loss == pytest.approx(plainly_tested.loss, abs=1e-5)
        assert (tested.correct, tested.images) == (plainly_tested.correct, plainly_tested.images)


class Tiny(nn.Sequential):
    """One linear layer: an epoch of 938 batches in a second."""

    def __init__(self) -> None:
        super().__init__(nn.Flatten(), nn.Linear(4, 10), nn.LogSoftmax(dim=1))


# Values ----------------------------------------------------------------------------------------------------------


@on_every_device
def test_two_epochs_have_the_plain_losses(bundled: Mnist, device: torch.device) -> None:
    """The second epoch shows that as many random numbers were drawn as by the loaders."""
    train, test = bundled.train.first(64 * 2 + 10), bundled.test.first(50)
    assert_same(fast(train, test, device, 2)[0], plain(train, test, device, 2)[0])


@on_every_device
def test_what_moved_in_has_the_bits_of_the_hosts_transform(bundled: Mnist, device: torch.device) -> None:
    split = bundled.train.first(50)
    inside = move_in(split, device)
    assert inside.images.device.type == inside.labels.device.type == device.type
    assert torch.equal(inside.images.cpu(), normalise(split.images))
    assert torch.equal(inside.labels.cpu(), split.labels)


def test_what_moved_in_has_the_bits_of_torchvisions_transform() -> None:
    """All 256 pixels, image by image through PIL as the well-known example does."""
    transforms = pytest.importorskip("torchvision.transforms")
    image_module = pytest.importorskip("PIL.Image")
    official = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    pixels = torch.arange(28 * 28).remainder(256).to(torch.uint8).view(1, 28, 28).repeat(3, 1, 1)
    pixels[1], pixels[2] = pixels[0].flip(0), 255 - pixels[0]
    theirs = torch.stack([official(image_module.fromarray(one.numpy(), mode=None)) for one in pixels])
    assert torch.equal(move_in(Split(pixels, torch.zeros(3, dtype=torch.int64)), torch.device("cpu")).images, theirs)


@pytest.mark.parametrize("count", [1, 7, 64, 1000])
def test_the_order_is_the_loaders(count: int) -> None:
    split = Split(torch.zeros(count, 28, 28, dtype=torch.uint8), torch.arange(count))
    torch.manual_seed(3)
    batches = loader(split, 8, shuffle=True)
    theirs = [torch.cat([labels for _, labels in batches]) for _ in range(2)]
    after = torch.rand(1)
    torch.manual_seed(3)
    for order in theirs:
        assert torch.equal(loader_order(count, shuffle=True), order)
    assert torch.equal(torch.rand(1), after), "another number of random numbers was drawn"
    assert torch.equal(loader_order(count, shuffle=False), torch.arange(count))


@on_every_device
@pytest.mark.parametrize(("count", "size"), [(10, 4), (8, 4), (3, 5), (1, 1)])
def test_the_batches_are_cut_in_order(device: torch.device, count: int, size: int) -> None:
    split = Split(torch.arange(count * 4, dtype=torch.uint8).view(count, 2, 2), torch.arange(count))
    order = torch.randperm(count)
    inside = move_in(split, device)
    batches = list(Cut(inside, size, order.to(device)))
    assert len(batches) == len(Cut(inside, size)) == -(-count // size)
    assert all(len(labels) == size for _, labels in batches[:-1])
    assert torch.equal(torch.cat([labels for _, labels in batches]).cpu(), order)
    assert torch.equal(torch.cat([images for images, _ in batches]).cpu(), normalise(split.images)[order])
    assert torch.equal(torch.cat([labels for _, labels in Cut(inside, size)]).cpu(), split.labels)


def test_no_graph_is_kept(bundled: Mnist) -> None:
    inside = move_in(bundled.train.first(40), torch.device("cpu"))
    model = Net()
    losses = train_fast(model, Cut(inside, 20), fast_optimizer(model, 1.0))
    assert not losses.requires_grad
    assert model.training
    evaluate_fast(model, Cut(inside, 20))
    assert not model.training


# Budgets ---------------------------------------------------------------------------------------------------------


@on_sim
def test_a_full_sized_epoch_waits_once(device: torch.device) -> None:
    """60,000 and 10,000 images of 2 by 2 pixels: the number of batches is the full set's."""
    torch.manual_seed(0)
    train, test = (
        Split(torch.randint(0, 256, (n, 2, 2), dtype=torch.uint8), torch.randint(0, 10, (n,))) for n in (60_000, 10_000)
    )
    ours, trace = fast(train, test, device, 1, Tiny)
    assert ours[0][0].batches == 938
    assert len(trace.waits) == 1 <= BUDGET_WAITS
    assert [(copy.kind, copy.blocking) for copy in trace.copies] == [("H2D", False), ("D2H", True)]
    assert not trace.races


@on_sim
def test_a_step_takes_at_most_45_device_operators(bundled: Mnist, device: torch.device) -> None:
    inside = move_in(bundled.train.first(3 * 8), device)
    model = Net().to(device)
    optimizer = fast_optimizer(model, 1.0)
    train_fast(model, Cut(inside, 8), optimizer)  # the first step makes the optimizer's state
    counts = []
    for batches in (1, 2, 3):
        with sp.trace(device) as trace:
            train_fast(model, list(Cut(inside, 8))[:batches], optimizer)
        counts.append(len(trace.launches))
        assert not trace.waits
    assert counts[2] - counts[1] == counts[1] - counts[0] <= BUDGET_OPERATORS


@on_sim
def test_moving_in_copies_bytes_and_not_floats(bundled: Mnist, device: torch.device) -> None:
    with sp.trace(device) as trace:
        move_in(bundled.train.first(300), device)
    assert sorted(copy.bytes for copy in trace.copies) == [256 * 4, 300 * 8, 300 * 28 * 28]
    assert len(trace.host_ops) < 20


@on_sim
def test_another_device_than_the_first(bundled: Mnist, device: torch.device) -> None:
    sp.sim.use(chip="T4", devices=2)
    second = torch.device("sim:1")
    inside = move_in(bundled.train.first(16), second)
    model = Net().to(second)
    order = send(torch.randperm(16), second)
    assert {inside.images.device, inside.labels.device, order.device} == {second}
    assert train_fast(model, Cut(inside, 8, order), fast_optimizer(model, 1.0)).device == second


# The command -----------------------------------------------------------------------------------------------------


def losses_of(out: str) -> list[str]:
    return re.findall(r"loss \d+\.\d+", out)


@pytest.mark.parametrize("name", DEVICES)
def test_the_command_prints_the_plain_losses(capsys: pytest.CaptureFixture[str], name: str) -> None:
    flags = ["--device", name, "--limit", "70", "--epochs", "2", "--log-interval", "1"]
    assert main(flags) == 0
    theirs = capsys.readouterr().out
    assert main([*flags, "--fast"]) == 0
    ours = capsys.readouterr().out
    assert len(losses_of(ours)) == 2 * (2 + 1)
    assert losses_of(ours) == losses_of(theirs)
    assert re.search(r"^epoch 2: 2 batches and the test in .* of 70 right", ours, re.MULTILINE)


@pytest.mark.parametrize("more", [[], ["--shuffle-on-device"]])
def test_the_command_says_that_it_waited_once(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    assert main(["--device", "sim", "--limit", "64", "--epochs", "1", "--fast", "--trace", *more]) == 0
    out = capsys.readouterr().out
    assert out.count("--- epoch 1, training and testing ---") == 1
    assert "the host waited once" in out


def test_shuffled_on_the_device_is_another_order(capsys: pytest.CaptureFixture[str]) -> None:
    def losses(*more: str) -> list[str]:
        main(["--device", "cpu", "--limit", "100", "--epochs", "1", "--batch-size", "10", "--fast", *more])
        return losses_of(capsys.readouterr().out)

    assert losses("--shuffle-on-device") == losses("--shuffle-on-device")
    assert losses("--shuffle-on-device") != losses()


def test_shuffle_on_device_needs_fast(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--shuffle-on-device"])
    assert stop.value.code == 2
    assert "error: argument --shuffle-on-device: only together with --fast" in capsys.readouterr().err


def test_a_bar_takes_the_place_of_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--device", "cpu", "--limit", "64", "--epochs", "1", "--fast", "--progress"]) == 0
    out, err = capsys.readouterr()
    assert "batch  " not in out
    assert "epoch 1" in err


@pytest.mark.slow
def test_the_full_sets_first_epoch(full_folder: Path) -> None:
    """On the CPU: 98 % right, and every one of 938 losses within 1e-5 of the plain loop's."""
    mnist = load(full_folder)
    cpu = torch.device("cpu")
    ours = fast(mnist.train, mnist.test, cpu, 1)[0]
    assert ours[0][1].accuracy >= 0.98
    assert_same(ours, plain(mnist.train, mnist.test, cpu, 1)[0])


@pytest.mark.slow
def test_the_full_sets_first_epoch_waits_once_on_sim(full_folder: Path) -> None:
    sp.sim.use(chip="T4")
    mnist = load(full_folder)
    found, trace = fast(mnist.train, mnist.test, torch.device("sim"), 1)
    assert len(trace.waits) == 1
    assert found[0][1].accuracy >= 0.98
