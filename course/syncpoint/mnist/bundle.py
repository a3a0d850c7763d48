"""Make the bundled part of MNIST from the full set: every 6th training image, every 5th test image.

The images are spread evenly over both files, so that no part of a file decides alone. It matters: in the test set the
first 5,000 images are easier than the last 5,000, so the first 2,000 would flatter every network.

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

STEP = {"train": 6, "test": 5}  # 60,000 / 6 = 10,000 and 10,000 / 5 = 2,000


def chosen(split: Split, name: str) -> Split:
    """The bundled images of a full split."""
    return Split(split.images[:: STEP[name]], split.labels[:: STEP[name]])


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
