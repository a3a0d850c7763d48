"""The flags of ``python -m syncpoint.mnist``: those of the well-known example, and a few of our own.

A value that cannot be used ends the program with exit code 2 and a message that names the flag.

What it does not do: touch a device or read data.

Example::

    options = parser().parse_args(["--epochs", "2", "--no-accel"])
"""

from __future__ import annotations

import argparse
import math
import os
import re
from pathlib import Path

MODEL_FILE = "mnist_cnn.pt"
DEVICE = re.compile(r"(cpu|cuda|mps|sim)(:\d+)?")


def parser() -> argparse.ArgumentParser:
    """The command's argument parser."""
    flags = argparse.ArgumentParser(
        prog="python -m syncpoint.mnist",
        description="Train the MNIST network and test it after every epoch.",
        allow_abbrev=False,
    )
    _training(flags)
    _device(flags)
    _files(flags)
    return flags


def _training(flags: argparse.ArgumentParser) -> None:
    group = flags.add_argument_group("training")
    group.add_argument("--batch-size", type=_count, default=64, metavar="N", help="images a training batch (64)")
    group.add_argument("--test-batch-size", type=_count, default=1000, metavar="N", help="images a test batch (1000)")
    group.add_argument("--epochs", type=_count, default=14, metavar="N", help="passes over the training set (14)")
    group.add_argument("--lr", type=_positive, default=1.0, metavar="LR", help="Adadelta's learning rate (1.0)")
    group.add_argument(
        "--gamma", type=_positive, default=0.7, metavar="G", help="the rate is multiplied by this after an epoch (0.7)"
    )
    group.add_argument("--seed", type=_seed, default=1, metavar="S", help="seed of all random numbers (1)")
    group.add_argument(
        "--log-interval", type=_count, default=10, metavar="N",
        help="read and show the loss of every Nth batch; each reading is a wait (10)",
    )  # fmt: skip
    group.add_argument(
        "--fast", action="store_true",
        help="the same losses with at most 2 waits an epoch; they are shown when the epoch is over",
    )  # fmt: skip
    group.add_argument(
        "--shuffle-on-device", action="store_true",
        help="with --fast: the device draws the order itself, so that nothing is copied in an epoch; other losses",
    )  # fmt: skip
    group.add_argument("--dry-run", action="store_true", help="one training batch and one test batch, then stop")
    group.add_argument("--limit", type=_count, metavar="N", help="use only the first N training and N test images")


def _device(flags: argparse.ArgumentParser) -> None:
    group = flags.add_argument_group("device", "Without these: cuda, else mps, else the simulated accelerator.")
    group.add_argument("--device", type=_device_name, metavar="D", help="cpu, sim, cuda or mps; sim:1 for a second one")
    group.add_argument(
        "--no-accel", "--no-accelerator", dest="no_accel", action="store_true", help="the same as --device cpu"
    )
    group.add_argument("--no-cuda", action="store_true", help="mps when there is one, else cpu")
    group.add_argument("--no-mps", action="store_true", help="cuda when there is one, else cpu")
    group.add_argument(
        "--trace", action="store_true",
        help="record the first epoch and its test, and tell where the host waited, line by line",
    )  # fmt: skip


def _files(flags: argparse.ArgumentParser) -> None:
    group = flags.add_argument_group("files and display")
    group.add_argument(
        "--data", type=Path, metavar="DIR",
        help="a folder with MNIST's four IDX files, plain or .gz, or with torchvision's MNIST/raw "
        "(without this: ./data, ../data, then the bundled part)",
    )  # fmt: skip
    group.add_argument(
        "--download", action="store_true", help="let torchvision fetch the full set into --data (./data)"
    )
    group.add_argument(
        "--save-model", type=_target, nargs="?", const=Path(MODEL_FILE), metavar="FILE",
        help=f"save the trained model at the end ({MODEL_FILE})",
    )  # fmt: skip
    group.add_argument(
        "--progress", action=argparse.BooleanOptionalAction, default=None,
        help="draw a progress bar on stderr; without this, only on a terminal",
    )  # fmt: skip


def _count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return value


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def _seed(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if not -(2**63) <= value < 2**64:
        raise argparse.ArgumentTypeError(f"{text!r} does not fit into 64 bits")
    return value


def _device_name(text: str) -> str:
    if not DEVICE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is none of cpu, sim, cuda, mps (with a number, if you like: sim:1)")
    return text


def _target(text: str) -> Path:
    """A file that can be written: better to know now than after the last epoch."""
    path = Path(text)
    folder = path.absolute().parent
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder; name a file, for instance {str(path / MODEL_FILE)!r}")
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text!r}: the folder {folder} cannot be written to")
    return path
