"""MNIST as tensors: where the files are looked for, and how pixels become numbers for the network.

``load()`` looks in this order and takes the first place that has data:

1. the folder you name: four IDX files, or a torchvision folder that has them in ``MNIST/raw``;
2. ``data/MNIST/raw`` and ``../data/MNIST/raw``, where torchvision's MNIST puts them;
3. the bundled part of MNIST: 10,000 real training images and 2,000 real test images.

The files are read here, so none of this needs torchvision; only ``download=True`` does. ``normalise()`` gives
bit for bit what torchvision's ``ToTensor`` and ``Normalize((0.1307,), (0.3081,))`` give, for all images at once.

What it does not do: check checksums, augment, or hold anything on a device.

Example::

    mnist = load()
    mnist.train.images  # (10000, 28, 28) uint8 from the bundled part; (60000, 28, 28) from the full set
    print(mnist.origin)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from syncpoint.mnist.idx import DataError, read_idx

MEAN, STD = 0.1307, 0.3081  # of all pixels of the training set, scaled to 0..1
BUNDLED = Path(__file__).parent / "bundled"
TORCHVISION_ROOTS = (Path("data"), Path("../data"))
#: The four files: (split, images or labels) -> name without ".gz".
FILES = {
    ("train", "images"): "train-images-idx3-ubyte",
    ("train", "labels"): "train-labels-idx1-ubyte",
    ("test", "images"): "t10k-images-idx3-ubyte",
    ("test", "labels"): "t10k-labels-idx1-ubyte",
}


@dataclass(frozen=True, slots=True)
class Split:
    """Images and their labels, on the CPU, as they stand in the files."""

    images: torch.Tensor  # (N, 28, 28) uint8, 0 is background
    labels: torch.Tensor  # (N,) int64, 0..9

    def __len__(self) -> int:
        return len(self.labels)

    def first(self, count: int) -> Split:
        """The first so many images (all of them, if there are fewer)."""
        return Split(self.images[:count], self.labels[:count])


@dataclass(frozen=True, slots=True)
class Mnist:
    """The training set, the test set, and where they come from."""

    train: Split
    test: Split
    folder: Path
    origin: str  # one line to print


def load(folder: str | Path | None = None, *, download: bool = False) -> Mnist:
    """MNIST from ``folder``, or from the first place that has it (see the module's text).

    ``download=True`` lets torchvision fetch the full set into ``folder`` (or ``data``) when it is not there yet.
    Raises DataError when a file is missing or broken, or when a download fails.
    """
    if download:
        place = _download(Path("data") if folder is None else Path(folder))
    elif folder is not None:
        place = _inside(Path(folder))
    else:
        raws = [root / "MNIST" / "raw" for root in TORCHVISION_ROOTS]
        place = next((raw for raw in raws if raw.is_dir()), BUNDLED)
    train, test = _read_split(place, "train"), _read_split(place, "test")
    kind = "the bundled part of MNIST" if place == BUNDLED else f"MNIST from {place}"
    return Mnist(train, test, place, f"{kind}: {len(train):,} training and {len(test):,} test images")


def normalise(images: torch.Tensor) -> torch.Tensor:
    """uint8 pixels (N, 28, 28) -> float32 (N, 1, 28, 28) with mean 0 and deviation 1 over the training set.

    One image (28, 28) gives (1, 28, 28). The three steps are torchvision's, in its order, so the bits agree.
    """
    return images.unsqueeze(-3).to(torch.float32).div_(255).sub_(MEAN).div_(STD)


def _inside(folder: Path) -> Path:
    """The folder that holds the IDX files: the one named, or MNIST/raw in it."""
    if not folder.is_dir():
        raise DataError(f"There is no folder {folder.absolute()}. Name a folder that holds MNIST's four IDX files.")
    raw = folder / "MNIST" / "raw"
    return raw if raw.is_dir() else folder


def _find(folder: Path, split: str, part: str) -> Path:
    """The file's path, plain or compressed; plain first, because torchvision leaves both."""
    name = FILES[split, part]
    for candidate in (folder / name, folder / f"{name}.gz"):
        if candidate.is_file():
            return candidate
    raise DataError(
        f"The {split} {part} are missing: neither {name} nor {name}.gz is in {folder.absolute()}. "
        "Put the file there, name another folder, or download the set (--download, or load(download=True))."
    )


def _read_split(folder: Path, split: str) -> Split:
    images_file, labels_file = _find(folder, split, "images"), _find(folder, split, "labels")
    images, labels = read_idx(images_file, dimensions=3), read_idx(labels_file, dimensions=1)
    if images.shape[1:] != (28, 28):
        raise DataError(f"{images_file} holds images of {tuple(images.shape[1:])} pixels; MNIST's are (28, 28).")
    if len(images) != len(labels):
        raise DataError(
            f"{images_file} holds {len(images):,} images, but {labels_file} holds {len(labels):,} labels. "
            "The two files do not belong together: fetch both anew."
        )
    if int(labels.max()) > 9:
        raise DataError(f"{labels_file} holds the label {int(labels.max())}; MNIST's labels are 0 to 9.")
    return Split(images, labels.to(torch.int64))


def _download(root: Path) -> Path:
    """Let torchvision fetch the set below ``root``; it leaves a complete set alone."""
    try:
        from torchvision.datasets import MNIST
    except ImportError as error:
        raise DataError(
            f"A download needs torchvision, which cannot be imported ({error}). Run `pip install torchvision`, "
            "or leave the download out: the bundled part of MNIST is always there."
        ) from None
    try:
        return Path(MNIST(str(root), train=True, download=True).raw_folder)
    except (RuntimeError, OSError) as error:
        raise DataError(f"The download of MNIST into {root.absolute()} failed: {error}") from error
