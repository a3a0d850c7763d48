"""Copy and Wait: how a micro-batch goes from one stage's device to the next, forth in the forward pass and back in
the backward pass, on streams of its own, so that the device goes on computing meanwhile.

Both are autograd functions. ``Copy`` moves tensors on two streams at once, the source's and the target's; ``Wait``
puts two streams in order and moves nothing. In the backward pass each does the same the other way round.

    forward     compute stream --Wait--> copy stream --Copy--> copy stream --Wait--> compute stream
    backward    compute stream <--Wait-- copy stream <--Copy-- copy stream <--Wait-- compute stream

Two rules of the allocator hide in ``move``: a tensor that another stream than its own reads, or will read, is told to
the allocator with ``record_stream``. Without it its memory could be given to the next tensor while it is still read.

What it does not do: overlap a copy between host and device (that needs pinned memory).

>>> here = current_stream(torch.device("cpu"))
>>> (y,) = Copy.apply(here, here, torch.ones(3))
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from syncpoint.pipeline.streams import Stream, current_stream, device_of, record_stream, use_stream, wait_stream

__all__ = ["Copy", "Wait", "move"]


def move(tensors: tuple[Tensor | None, ...], source: Stream, target: Stream) -> tuple[Tensor | None, ...]:
    """The tensors on the device of ``target``; the copies run on both streams. None stays None."""
    device = device_of(target)
    reader = current_stream(device)  # who will use the result
    moved: list[Tensor | None] = []
    with use_stream(source), use_stream(target):
        for x in tensors:
            y = None if x is None else x.to(device)
            moved.append(y)
            if x is not None and y is not None:
                record_stream(x, source)
                record_stream(y, reader)
    return tuple(moved)


def _keep_apart(ctx: Any, results: tuple[Tensor | None, ...]) -> None:
    """A tensor that needs no gradient needs none afterwards, though it travels with one that does."""
    needed = ctx.needs_input_grad[2:]
    ctx.mark_non_differentiable(*(y for y, need in zip(results, needed, strict=True) if y is not None and not need))


class Copy(torch.autograd.Function):
    """``Copy.apply(prev_stream, next_stream, *tensors)``: the tensors on the next stream's device."""

    @staticmethod
    def forward(ctx: Any, prev_stream: Stream, next_stream: Stream, *tensors: Tensor) -> tuple[Tensor | None, ...]:
        ctx.set_materialize_grads(False)
        ctx.prev_stream, ctx.next_stream = prev_stream, next_stream
        moved = move(tensors, prev_stream, next_stream)
        _keep_apart(ctx, moved)
        return moved

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Any, ...]:
        back = move(grads, ctx.next_stream, ctx.prev_stream)
        return (None, None, *back)


class Wait(torch.autograd.Function):
    """``Wait.apply(prev_stream, next_stream, *tensors)``: the same tensors, once the previous stream has them.

    Give it *all* tensors that are waited for: in the backward pass only gradients that come through here are in order.
    """

    @staticmethod
    def forward(ctx: Any, prev_stream: Stream, next_stream: Stream, *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.prev_stream, ctx.next_stream = prev_stream, next_stream
        wait_stream(next_stream, prev_stream)
        same = tuple(x.detach() for x in tensors)
        _keep_apart(ctx, same)
        return same

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Any, ...]:
        wait_stream(ctx.prev_stream, ctx.next_stream)
        return (None, None, *grads)
