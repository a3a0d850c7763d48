"""Micro-batches: a batch is cut along its first dimension, and the results are put together again.

A value that travels through the pipeline is a tensor or a tuple of tensors. All of them have the samples along their
first dimension.

What it does not do: cut along another dimension, or pad. A batch with fewer samples than asked-for micro-batches gives
fewer of them.

>>> [piece.value.shape[0] for piece in scatter(torch.ones(7, 2), 3)]     # sizes differ by one at most
[3, 2, 2]
>>> gather(scatter(torch.ones(7, 2), 3)).shape
torch.Size([7, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

__all__ = ["Batch", "Value", "gather", "scatter"]

Value = Tensor | tuple[Tensor, ...]


@dataclass(frozen=True)
class Batch:
    """What one micro-batch is at one moment: its tensors, and whether they are one value or a tuple."""

    tensors: tuple[Tensor, ...]
    single: bool

    @staticmethod
    def of(value: Any, what: str) -> Batch:
        """Checks that ``value`` is a tensor or a tuple of tensors; ``what`` names it in the message."""
        if isinstance(value, Tensor):
            return Batch((value,), True)
        if isinstance(value, tuple) and value and all(isinstance(x, Tensor) for x in value):
            return Batch(value, False)
        raise TypeError(
            f"{what} is {_described(value)}; a pipeline carries a tensor or a tuple of tensors. "
            "Keep other values as attributes of the layer that needs them."
        )

    @property
    def value(self) -> Value:
        return self.tensors[0] if self.single else self.tensors

    def with_tensors(self, tensors: tuple[Tensor, ...]) -> Batch:
        return Batch(tensors, self.single)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


def scatter(value: Value, chunks: int) -> list[Batch]:
    """At most ``chunks`` micro-batches, the larger ones first. Views: nothing is copied."""
    if not isinstance(chunks, int) or chunks < 1:
        raise ValueError(f"chunks is {chunks!r}; a batch is cut into 1 micro-batch or more.")
    batch = Batch.of(value, "the input")
    sizes = [x.shape[0] if x.dim() else None for x in batch.tensors]
    if None in sizes:
        raise ValueError(
            f"input {sizes.index(None)} has no dimensions; a micro-batch is cut along the first, the samples."
        )
    if len(set(sizes)) > 1:
        raise ValueError(f"the inputs have {sizes} samples; all need the same number along their first dimension.")
    count = max(min(chunks, len(batch)), 1)
    pieces = [x.tensor_split(count) for x in batch.tensors]
    return [batch.with_tensors(tensors) for tensors in zip(*pieces, strict=True)]


def gather(batches: Sequence[Batch]) -> Value:
    """The micro-batches in one piece again."""
    if len(batches) == 1:
        return batches[0].value
    columns = zip(*(batch.tensors for batch in batches), strict=True)
    return batches[0].with_tensors(tuple(torch.cat(column) for column in columns)).value


def _described(value: Any) -> str:
    if isinstance(value, tuple):
        kinds = sorted({type(x).__name__ for x in value if not isinstance(x, Tensor)})
        return f"a tuple that holds {', '.join(kinds)}" if kinds else "an empty tuple"
    return f"a {type(value).__name__}"
