"""Train one epoch, test once: the two loops of the well-known MNIST example, with every wait left in.

These loops are what lab 03 takes apart and lab 09 makes faster, so they are deliberately plain. On an accelerator
the host waits

- twice a training batch and twice a test batch, for ``.to(device)`` of the images and of the labels (a copy from
  ordinary, pageable memory blocks);
- once every ``log_interval`` training batches, to read the loss;
- twice more a test batch, to read the loss and the number of right answers.

With the full set (60,000 and 10,000 images), batches of 64 and 1,000, and ``log_interval`` 10, that is
2 x 938 = 1,876 copies and 94 value reads for an epoch of training, and 20 + 20 = 40 waits in testing.

What they do not do: choose a device, shuffle, show progress. The caller gives an iterable of batches, and may wrap
it in a progress bar.

Example::

    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    train_epoch(model, device, loader(mnist.train, 64, shuffle=True), optimizer)
    print(evaluate(model, device, loader(mnist.test, 1000, shuffle=False)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim import Optimizer

Batches = Iterable[tuple[torch.Tensor, torch.Tensor]]


@dataclass(frozen=True, slots=True)
class LoggedLoss:
    """The mean loss of one training batch, read on the host."""

    batch: int  # from 0
    loss: float


@dataclass(slots=True)
class TrainResult:
    """What an epoch of training saw."""

    batches: int = 0
    images: int = 0
    logged: list[LoggedLoss] = field(default_factory=list)


@dataclass(slots=True)
class EvalResult:
    """What a pass over the test set found."""

    loss: float  # mean over the images
    correct: int
    images: int

    @property
    def accuracy(self) -> float:
        """Between 0 and 1."""
        return self.correct / self.images

    def __str__(self) -> str:
        return f"loss {self.loss:.4f}, {self.correct:,} of {self.images:,} right ({self.accuracy:.2%})"


def train_epoch(
    model: nn.Module,
    device: torch.device | str,
    batches: Batches,
    optimizer: Optimizer,
    *,
    log_interval: int = 10,
    on_log: Callable[[LoggedLoss], None] | None = None,
) -> TrainResult:
    """Train on every batch once. The loss of batch 0, log_interval, 2 log_interval ... is read and logged."""
    result = TrainResult()
    model.train()
    for index, (images, labels) in enumerate(batches):
        images = images.to(device)
        labels = labels.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        result.batches += 1
        result.images += len(images)
        if index % log_interval == 0:
            logged = LoggedLoss(index, loss.item())
            result.logged.append(logged)
            if on_log is not None:
                on_log(logged)
    return result


def evaluate(model: nn.Module, device: torch.device | str, batches: Batches) -> EvalResult:
    """Mean loss and number of right answers over all batches, without dropout and without gradients."""
    loss_sum, correct, count = 0.0, 0, 0
    model.eval()
    with torch.no_grad():
        for images, labels in batches:
            images = images.to(device)
            labels = labels.to(device)
            log_probabilities = model(images)
            guesses = log_probabilities.argmax(dim=1)
            loss_sum += F.nll_loss(log_probabilities, labels, reduction="sum").item()
            correct += int((guesses == labels).sum().item())
            count += len(images)
    if count == 0:
        raise ValueError("evaluate() was given no batches: there is nothing to take a mean of. Is the test set empty?")
    return EvalResult(loss_sum / count, correct, count)
