"""Fork and join: an order in the backward pass where the values give none.

Autograd may run two branches of a graph in any order. ``depend`` ties them together with an empty tensor, a *phony*:
it leaves one branch at a fork and enters the other at a join. It carries nothing, but a gradient must come back
through it, so the fork's branch can't go on backward before the join's branch has passed.

A pipeline needs this: stage j must go backward through micro-batch i before micro-batch i - 1, because that is the
order in which the stage after it delivers the gradients.

What it does not do: order anything in the forward pass, or on the device.

>>> a, b = torch.ones(1, requires_grad=True) * 2, torch.ones(1, requires_grad=True) * 3
>>> (a,), (b,) = depend((a,), (b,))     # backward: first b's branch, then a's
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

__all__ = ["depend", "fork", "join"]

Tensors = tuple[Tensor, ...]


class _Fork(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensors:
        ctx.set_materialize_grads(False)
        return x.detach(), x.new_empty(0)

    @staticmethod
    def backward(ctx: Any, grad: Tensor | None, _: Tensor | None) -> Tensor | None:
        return grad


class _Join(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, phony: Tensor) -> Tensor:
        ctx.set_materialize_grads(False)
        return x.detach()

    @staticmethod
    def backward(ctx: Any, grad: Tensor | None) -> tuple[Tensor | None, None]:
        return grad, None


def fork(tensors: Tensors) -> tuple[Tensors, Tensor | None]:
    """Branch a phony off; None where nothing here takes part in a backward pass."""
    at = next((k for k, x in enumerate(tensors) if x.requires_grad), None)
    if at is None or not torch.is_grad_enabled():
        return tensors, None
    x, phony = _Fork.apply(tensors[at])
    return _replaced(tensors, at, x), phony


def join(tensors: Tensors, phony: Tensor | None) -> Tensors:
    """Let a phony come in, beside a tensor whose gradient will pass here."""
    candidates = [k for k, x in enumerate(tensors) if x.is_floating_point() or x.is_complex()]
    if phony is None or not candidates:
        return tensors
    at = next((k for k in candidates if tensors[k].requires_grad), candidates[0])
    return _replaced(tensors, at, _Join.apply(tensors[at], phony))


def depend(first: Tensors, second: Tensors) -> tuple[Tensors, Tensors]:
    """In the backward pass ``second`` comes before ``first``."""
    first, phony = fork(first)
    return first, join(second, phony)


def _replaced(tensors: Tensors, at: int, x: Tensor) -> Tensors:
    return (*tensors[:at], x, *tensors[at + 1 :])
