"""From images to batches: the same batches in two ways, one sample at a time or a batch at a time.

``SampleDigits`` is the style of most examples: the data loader asks for one image, transforms it, and asks for
the next; 64 small tensors are then stacked into a batch. ``Digits`` transforms all images once, when it is made,
and cuts a batch out with one indexing operator. For the same seed both give bit-identical batches in the same
order; the second is many times faster, because Python does far less for each image. It is the default here.

The training loader shuffles on every device. (The well-known example asks for it only with an accelerator, so its
CPU runs see the same order in each epoch, while its test set gets shuffled for nothing.)

What it does not do: worker processes, augmentation. All tensors are on the CPU, in ordinary pageable memory unless
``pin_memory`` is asked for.

Example::

    for images, labels in loader(mnist.train, batch_size=64, shuffle=True):
        ...  # (64, 1, 28, 28) float32, (64,) int64
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset, default_collate

from syncpoint.mnist.data import Split, normalise


class SampleDigits(Dataset[tuple[torch.Tensor, int]]):
    """One sample at a time: each access transforms one image."""

    def __init__(self, split: Split) -> None:
        self.split = split

    def __len__(self) -> int:
        return len(self.split)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return normalise(self.split.images[index]), int(self.split.labels[index])


class Digits(SampleDigits):
    """A batch at a time: all images are transformed at the start (188 MB for the full training set)."""

    def __init__(self, split: Split) -> None:
        super().__init__(split)
        self.pixels = normalise(split.images)  # (N, 1, 28, 28)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return self.pixels[index], int(self.split.labels[index])

    def __getitems__(self, indices: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """A whole batch. DataLoader calls this, where it exists, in place of ``__getitem__`` for each index."""
        chosen = torch.tensor(indices)
        return self.pixels[chosen], self.split.labels[chosen]


def _ready(batch: Any) -> Any:
    """Digits gives a finished batch: there is nothing left to stack."""
    return batch


def loader(
    split: Split, batch_size: int, *, shuffle: bool, per_sample: bool = False, pin_memory: bool = False
) -> DataLoader[tuple[torch.Tensor, Any]]:
    """A DataLoader over the split: (B, 1, 28, 28) float32 and (B,) int64, the last batch perhaps smaller."""
    return DataLoader(
        SampleDigits(split) if per_sample else Digits(split),
        batch_size=batch_size,
        shuffle=shuffle,
        collate_fn=default_collate if per_sample else _ready,
        pin_memory=pin_memory,
    )
