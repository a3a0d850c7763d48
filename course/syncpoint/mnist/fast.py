"""The same training with at most two waits an epoch, where the plain loops of ``train`` wait 2,010 times.

- ``move_in``: the whole set is copied to the device once, as the bytes of the files (47 MB for the full training set),
  and becomes numbers there. There are only 256 different pixels, so a table of 256 numbers, computed by ``normalise``
  on the host, is looked up: that gives the same bits on every device. (A division on the device need not: PyTorch's
  CUDA kernel multiplies by the reciprocal when the divisor is a Python number.)
- ``Cut``: shuffled once an epoch on the device, by one indexing operator; a batch is then a view and costs nothing.
- ``train_fast``, ``evaluate_fast``: losses and counts stay on the device. They never wait.
- ``read_epoch``: one copy to the host, with everything that an epoch has to tell. This is the wait.
- ``fast_optimizer``: Adadelta with foreach operators, which take all parameters in one call: 11 operators a step
  instead of 88. PyTorch does so by itself on CUDA, and does not on a CPU.

With ``loader_order`` an epoch sees the very batches that ``loader`` would give, and as many random numbers are drawn
from the host's generator, so the losses are those of the plain loops.

What it does not do: data that does not fit into the device's memory, augmentation, showing a loss before its epoch
is over.

Example::

    train, test = move_in(mnist.train, device), move_in(mnist.test, device)
    optimizer = fast_optimizer(model, lr=1.0)
    losses = train_fast(model, Cut(train, 64, send(loader_order(len(train), shuffle=True), device)), optimizer)
    trained, tested = read_epoch(losses, evaluate_fast(model, Cut(test, 1000)), len(train), len(test), log_interval=10)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim import Adadelta, Optimizer
from torch.utils.data import DataLoader

from syncpoint.mnist.data import Split, normalise
from syncpoint.mnist.train import Batches, EvalResult, LoggedLoss, TrainResult


@dataclass(frozen=True, slots=True)
class Resident:
    """A split that lives on a device, ready for the network."""

    images: torch.Tensor  # (N, 1, 28, 28) float32
    labels: torch.Tensor  # (N,) int64

    def __len__(self) -> int:
        return len(self.labels)


class Cut:
    """The batches of a resident split, in a given order or in the file's. Iterating never waits."""

    def __init__(self, split: Resident, batch_size: int, order: torch.Tensor | None = None) -> None:
        self.split, self.batch_size, self.order = split, batch_size, order

    def __len__(self) -> int:
        return -(-len(self.split) // self.batch_size)

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        images, labels = self.split.images, self.split.labels
        if self.order is not None:
            images, labels = images[self.order], labels[self.order]
        yield from zip(images.split(self.batch_size), labels.split(self.batch_size), strict=True)


def move_in(split: Split, device: torch.device) -> Resident:
    """Copy a split to the device, once, and turn its pixels into the numbers that ``normalise`` gives."""
    every_pixel = torch.arange(256, dtype=torch.uint8).view(1, 16, 16)
    table = normalise(every_pixel).flatten().to(device)  # (256,)
    pixels = split.images.to(device)  # (N, 28, 28) uint8: a quarter of the bytes of float32
    images = table.index_select(0, pixels.flatten().int()).view(pixels.shape).unsqueeze(1)
    return Resident(images, split.labels.to(device))


def loader_order(count: int, *, shuffle: bool) -> torch.Tensor:
    """The order in which ``loader`` would give so many images now: (count,) int64 on the CPU.

    A DataLoader over the numbers themselves tells it, so it is right in every version of PyTorch. A DataLoader that
    does not shuffle draws a random number as well; ask for the order of the test set to stay in step.
    """
    numbers = cast("Any", range(count))
    order: torch.Tensor = next(iter(DataLoader(numbers, batch_size=count, shuffle=shuffle, collate_fn=torch.tensor)))
    return order


def send(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Copy to the device without a wait, where memory can be pinned for that (not on mps)."""
    accelerator = torch.accelerator.current_accelerator()
    if device.type != "mps" and accelerator is not None and accelerator.type == device.type:
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=True)


def fast_optimizer(model: nn.Module, lr: float) -> Adadelta:
    """Adadelta with foreach operators on every device."""
    return Adadelta(model.parameters(), lr=lr, foreach=True)


def train_fast(model: nn.Module, batches: Batches, optimizer: Optimizer) -> torch.Tensor:
    """Train on every batch once. The mean loss of each batch, on the device: (number of batches,)."""
    losses = []
    model.train()
    for images, labels in batches:
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())  # without its graph, which would keep every batch's memory
    return torch.stack(losses)


def evaluate_fast(model: nn.Module, batches: Batches) -> torch.Tensor:
    """For each batch the sum of the losses and the number of right answers, on the device: (2, number of batches)."""
    sums, correct = [], []
    model.eval()
    with torch.no_grad():
        for images, labels in batches:
            log_probabilities = model(images)
            sums.append(F.nll_loss(log_probabilities, labels, reduction="sum"))
            correct.append((log_probabilities.argmax(dim=1) == labels).sum())
    return torch.stack([torch.stack(sums), torch.stack(correct).float()])  # float32 counts exactly up to 2**24


def read_epoch(
    losses: torch.Tensor, tests: torch.Tensor, train_images: int, test_images: int, log_interval: int
) -> tuple[TrainResult, EvalResult]:
    """What ``train_epoch`` and ``evaluate`` would have returned: the one wait of an epoch."""
    numbers = torch.cat([losses, tests.flatten()]).tolist()
    trained, sums, correct = numbers[: len(losses)], numbers[len(losses) : -tests.shape[1]], numbers[-tests.shape[1] :]
    logged = [LoggedLoss(batch, trained[batch]) for batch in range(0, len(trained), log_interval)]
    return TrainResult(len(trained), train_images, logged), EvalResult(
        sum(sums) / test_images, int(sum(correct)), test_images
    )
