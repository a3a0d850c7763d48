"""One epoch of the command, training and test, in two ways: plain as in the well-known example, and fast.

Both have an ``optimizer`` and ``run(epoch)``, which prints losses and returns the epoch's line of text. The plain one
prints a loss as soon as it is read, the fast one when the epoch is over, because it reads nothing before.

What they do not do: change the learning rate, save.

Example::

    epochs = FastEpochs(options, device, mnist, patience, model)
    print(epochs.run(1))
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import time
from collections.abc import Iterator

import torch
from torch.optim import Adadelta

import syncpoint as sp
from syncpoint.mnist.batches import loader
from syncpoint.mnist.data import Mnist
from syncpoint.mnist.fast import (
    Cut,
    evaluate_fast,
    fast_optimizer,
    loader_order,
    move_in,
    read_epoch,
    send,
    train_fast,
)
from syncpoint.mnist.interrupt import Patience
from syncpoint.mnist.model import Net
from syncpoint.mnist.progress import Quiet, watch
from syncpoint.mnist.train import EvalResult, LoggedLoss, TrainResult, evaluate, train_epoch

Bar = Quiet[tuple[torch.Tensor, torch.Tensor]]


class PlainEpochs:
    """The loops of ``train.py``, with every wait of the example."""

    def __init__(
        self, options: argparse.Namespace, device: torch.device, mnist: Mnist, patience: Patience, model: Net
    ) -> None:
        self.options, self.device, self.patience, self.model = options, device, patience, model
        self.train_batches = loader(mnist.train, options.batch_size, shuffle=True)
        self.test_batches = loader(mnist.test, options.test_batch_size, shuffle=False)
        self.optimizer = Adadelta(model.parameters(), lr=options.lr)

    def run(self, epoch: int) -> str:
        traced, start = self.options.trace and epoch == 1, time.perf_counter()
        with traced_part(traced, self.device, f"epoch {epoch}, training"):
            bar = watch(self.train_batches, f"epoch {epoch}", self.options.progress)
            trained = train_epoch(
                self.model, self.device, self.patience.between(bar), self.optimizer,
                log_interval=self.options.log_interval, on_log=functools.partial(show_loss, bar),
            )  # fmt: skip
        trained_at = time.perf_counter()
        with traced_part(traced, self.device, f"epoch {epoch}, testing"):
            bar = watch(self.test_batches, "test", self.options.progress)
            tested = evaluate(self.model, self.device, self.patience.between(bar))
        train_s, test_s = trained_at - start, time.perf_counter() - trained_at
        return f"epoch {epoch}: {_batches(trained)} in {train_s:.1f} s; test in {test_s:.1f} s: {tested}"


class FastEpochs:
    """The functions of ``fast.py``. Training and test are one part, because nobody waits between them."""

    def __init__(
        self, options: argparse.Namespace, device: torch.device, mnist: Mnist, patience: Patience, model: Net
    ) -> None:
        self.options, self.device, self.patience, self.model = options, device, patience, model
        self.train, self.test = move_in(mnist.train, device), move_in(mnist.test, device)
        self.optimizer = fast_optimizer(model, options.lr)

    def run(self, epoch: int) -> str:
        start = time.perf_counter()
        with traced_part(self.options.trace and epoch == 1, self.device, f"epoch {epoch}, training and testing"):
            bar = watch(self._batches(), f"epoch {epoch}", self.options.progress)
            trained, tested = self._train_and_test(bar)
        seconds = time.perf_counter() - start
        for logged in trained.logged:
            show_loss(bar, logged)
        return f"epoch {epoch}: {_batches(trained)} and the test in {seconds:.1f} s: {tested}"

    def _batches(self) -> Cut:
        """The epoch's training batches, in an order of their own."""
        count = len(self.train)
        if self.options.shuffle_on_device:
            return Cut(self.train, self.options.batch_size, torch.randperm(count, device=self.device))
        return Cut(self.train, self.options.batch_size, send(loader_order(count, shuffle=True), self.device))

    def _train_and_test(self, bar: Bar) -> tuple[TrainResult, EvalResult]:
        losses = train_fast(self.model, self.patience.between(bar), self.optimizer)
        if not self.options.shuffle_on_device:
            loader_order(len(self.test), shuffle=False)  # draws what the plain test's loader draws
        test_bar = watch(Cut(self.test, self.options.test_batch_size), "test", self.options.progress)
        tests = evaluate_fast(self.model, self.patience.between(test_bar))
        return read_epoch(losses, tests, len(self.train), len(self.test), self.options.log_interval)


@contextlib.contextmanager
def traced_part(traced: bool, device: torch.device, title: str) -> Iterator[None]:
    """Record what happens inside and print the report; do nothing when not traced."""
    if not traced:
        yield
        return
    with sp.trace(device) as trace:
        yield
    print(f"\n--- {title} ---\n{trace.report()}\n", flush=True)


def show_loss(bar: Bar, logged: LoggedLoss) -> None:
    """A loss that was read goes to the bar, or to stdout where there is no bar."""
    if bar.shown:
        bar.note(f"loss {logged.loss:.4f}")
    else:
        print(f"batch {logged.batch:>4} of {len(bar)}: loss {logged.loss:.4f}", flush=True)


def _batches(trained: TrainResult) -> str:
    return "1 batch" if trained.batches == 1 else f"{trained.batches:,} batches"
