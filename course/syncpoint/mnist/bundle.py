"""Make the bundled part of MNIST from the full set: the first 2 of every 12 training and of every 10 test images.

A choice of this kind is easily unfair, because MNIST's files have an order. Measured on the full set: in the training
file, images at even places are paler than those at odd places (mean grey 0.123 against 0.139, of 1), so every 6th image
would be of the paler sort only. In the test file the network, after one epoch on the full set, had 97.8 % of the first
5,000 right and 99.1 % of the last 5,000, so the first 2,000 would give too low a figure. Pairs of neighbours, spread
evenly, take as much of each sort as the full set has.

What it does not do: change an image. A test compares the bundled images with the full set's.

Example (from the repository, with the full set in ``data/MNIST/raw``)::

    python -m syncpoint.mnist.bundle data/MNIST/raw course/syncpoint/mnist/bundled
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from syncpoint.mnist.data import FILES, Split, load
from syncpoint.mnist.idx import write_idx

TAKEN = 2  # neighbours, from each block of
BLOCK = {"train": 12, "test": 10}  # 60,000 * 2 / 12 = 10,000 and 10,000 * 2 / 10 = 2,000


def chosen(split: Split, name: str) -> Split:
    """The bundled images of a full split."""
    places = torch.arange(len(split))
    places = places[places % BLOCK[name] < TAKEN]
    return Split(split.images[places], split.labels[places])


def bundle(full: Path, target: Path) -> None:
    """Write the four compressed IDX files."""
    mnist = load(full)
    for name, split in (("train", chosen(mnist.train, "train")), ("test", chosen(mnist.test, "test"))):
        write_idx(target / f"{FILES[name, 'images']}.gz", split.images)
        write_idx(target / f"{FILES[name, 'labels']}.gz", split.labels.to(torch.uint8))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m syncpoint.mnist.bundle FULL_SET_FOLDER TARGET_FOLDER")
    bundle(Path(sys.argv[1]), Path(sys.argv[2]))
