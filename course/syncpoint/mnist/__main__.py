"""``python -m syncpoint.mnist``: train, test, and with ``--trace`` tell where the host waited.

Exit codes: 0 done, 1 the data could not be read or the model not saved, 2 a flag that cannot be used, 130 Ctrl-C.

What it does not do: resume. A run that is stopped saves nothing.

Example::

    python -m syncpoint.mnist --epochs 1 --trace
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import sys
import time
from collections.abc import Iterator, Sequence

import torch
from torch.optim import Adadelta
from torch.optim.lr_scheduler import StepLR

import syncpoint as sp
from syncpoint.mnist.batches import loader
from syncpoint.mnist.data import Mnist, load
from syncpoint.mnist.idx import DataError
from syncpoint.mnist.interrupt import Patience
from syncpoint.mnist.model import Net
from syncpoint.mnist.options import parser
from syncpoint.mnist.progress import Quiet, watch
from syncpoint.mnist.save import save_model
from syncpoint.mnist.train import EvalResult, LoggedLoss, TrainResult, evaluate, train_epoch


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    flags = parser()
    options = flags.parse_args(argv)
    device = choose_device(flags, options)
    try:
        return run(options, device)
    except (DataError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped by Ctrl-C. {_unsaved(options)}", file=sys.stderr)
        return 130


def run(options: argparse.Namespace, device: torch.device) -> int:
    """Load, train and test, save."""
    torch.manual_seed(options.seed)
    mnist = _data(options)
    print(f"data: {mnist.origin}\ndevice: {device}", flush=True)
    with Patience() as patience:
        model = _trained(options, device, mnist, patience)
    if options.save_model is not None:
        print(f"saved: {save_model(model, options.save_model)}")
    return 0


def choose_device(flags: argparse.ArgumentParser, options: argparse.Namespace) -> torch.device:
    """The device that the flags ask for; an impossible wish ends the program with a message that names the flag."""
    cuda, mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    wish: str | None = options.device
    if options.no_accel or options.no_cuda or options.no_mps:
        if wish is not None:
            flags.error("argument --device: not together with --no-accel, --no-cuda or --no-mps")
        # The rule of the well-known example: of the real devices, the first that is there and not refused.
        allowed = {"cuda": cuda and not options.no_cuda, "mps": mps and not options.no_mps}
        return torch.device("cpu" if options.no_accel else next((kind for kind in allowed if allowed[kind]), "cpu"))
    if wish is None:
        try:
            return sp.device(quiet=True)
        except (ValueError, RuntimeError) as error:  # SYNCPOINT_DEVICE names what is not here
            flags.error(str(error))
    kind, _, index = wish.partition(":")
    count = {"cuda": torch.cuda.device_count() if cuda else 0, "mps": int(mps)}.get(kind)
    if count is not None and int(index or 0) >= count:
        flags.error(f"argument --device: PyTorch finds no {wish} here; try --device sim or --device cpu")
    return torch.device(wish) if kind != "sim" else _simulated(wish)


def _simulated(name: str) -> torch.device:
    """The simulated accelerator, switched on by the same override that a learner sets in the environment."""
    before = os.environ.get("SYNCPOINT_DEVICE")
    os.environ["SYNCPOINT_DEVICE"] = name
    try:
        return sp.device(quiet=True)
    finally:
        if before is None:
            del os.environ["SYNCPOINT_DEVICE"]
        else:
            os.environ["SYNCPOINT_DEVICE"] = before


@contextlib.contextmanager
def traced_part(traced: bool, device: torch.device, title: str) -> Iterator[None]:
    """Record what happens inside and print the report; do nothing when not traced."""
    if not traced:
        yield
        return
    with sp.trace(device) as trace:
        yield
    print(f"\n--- {title} ---\n{trace.report()}\n", flush=True)


def show_loss(bar: Quiet[tuple[torch.Tensor, torch.Tensor]], logged: LoggedLoss) -> None:
    """A loss that was read goes to the bar, or to stdout where there is no bar."""
    if bar.shown:
        bar.note(f"loss {logged.loss:.4f}")
    else:
        print(f"batch {logged.batch:>4} of {len(bar)}: loss {logged.loss:.4f}", flush=True)


def summary(epoch: int, trained: TrainResult, tested: EvalResult, train_s: float, test_s: float) -> str:
    """One line an epoch. The seconds are wall time, on every device."""
    batches = "1 batch" if trained.batches == 1 else f"{trained.batches:,} batches"
    return f"epoch {epoch}: {batches} in {train_s:.1f} s; test in {test_s:.1f} s: {tested}"


def _data(options: argparse.Namespace) -> Mnist:
    mnist = load(options.data, download=options.download)
    train, test = mnist.train, mnist.test
    if options.limit is not None:
        train, test = train.first(options.limit), test.first(options.limit)
    if options.dry_run:
        train, test = train.first(options.batch_size), test.first(options.test_batch_size)
    if len(train) < len(mnist.train) or len(test) < len(mnist.test):
        used = f"{mnist.origin}; the first {len(train):,} and {len(test):,} are used"
        return Mnist(train, test, mnist.folder, used)
    return mnist


def _trained(options: argparse.Namespace, device: torch.device, mnist: Mnist, patience: Patience) -> Net:
    """All epochs, each with its test."""
    train_batches = loader(mnist.train, options.batch_size, shuffle=True)
    test_batches = loader(mnist.test, options.test_batch_size, shuffle=False)
    model = Net().to(device)
    optimizer = Adadelta(model.parameters(), lr=options.lr)
    scheduler = StepLR(optimizer, step_size=1, gamma=options.gamma)
    for epoch in range(1, 2 if options.dry_run else options.epochs + 1):
        traced = options.trace and epoch == 1
        start = time.perf_counter()
        with traced_part(traced, device, f"epoch {epoch}, training"):
            bar = watch(train_batches, f"epoch {epoch}", options.progress)
            trained = train_epoch(
                model, device, patience.between(bar), optimizer,
                log_interval=options.log_interval, on_log=functools.partial(show_loss, bar),
            )  # fmt: skip
        trained_at = time.perf_counter()
        with traced_part(traced, device, f"epoch {epoch}, testing"):
            tested = evaluate(model, device, patience.between(watch(test_batches, "test", options.progress)))
        print(summary(epoch, trained, tested, trained_at - start, time.perf_counter() - trained_at), flush=True)
        scheduler.step()
    return model


def _unsaved(options: argparse.Namespace) -> str:
    if options.save_model is None:
        return "Nothing was saved."
    kept = f"; {options.save_model} is the file of an earlier run" if options.save_model.exists() else ""
    return f"The model was not saved{kept}."


if __name__ == "__main__":
    sys.exit(main())
