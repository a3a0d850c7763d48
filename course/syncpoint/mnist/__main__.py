"""``python -m syncpoint.mnist``: train, test, and with ``--trace`` tell where the host waited.

``--fast`` trains to the same losses with at most two waits an epoch (`fast.py`); it shows them when the epoch is over.

Exit codes: 0 done, 1 the data could not be read or the model not saved, 2 a flag that cannot be used, 130 Ctrl-C.

What it does not do: resume. A run that is stopped saves nothing.

Example::

    python -m syncpoint.mnist --epochs 1 --trace
    python -m syncpoint.mnist --epochs 1 --trace --fast
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import torch
from torch.optim.lr_scheduler import StepLR

import syncpoint as sp
from syncpoint.mnist.data import Mnist, load
from syncpoint.mnist.epochs import FastEpochs, PlainEpochs
from syncpoint.mnist.idx import DataError
from syncpoint.mnist.interrupt import Patience
from syncpoint.mnist.model import Net
from syncpoint.mnist.options import parser
from syncpoint.mnist.save import save_model


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    flags = parser()
    options = flags.parse_args(argv)
    if options.shuffle_on_device and not options.fast:
        flags.error("argument --shuffle-on-device: only together with --fast")
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
    model = Net().to(device)
    epochs = (FastEpochs if options.fast else PlainEpochs)(options, device, mnist, patience, model)
    scheduler = StepLR(epochs.optimizer, step_size=1, gamma=options.gamma)
    for epoch in range(1, 2 if options.dry_run else options.epochs + 1):
        print(epochs.run(epoch), flush=True)
        scheduler.step()
    return model


def _unsaved(options: argparse.Namespace) -> str:
    if options.save_model is None:
        return "Nothing was saved."
    kept = f"; {options.save_model} is the file of an earlier run" if options.save_model.exists() else ""
    return f"The model was not saved{kept}."


if __name__ == "__main__":
    sys.exit(main())
