"""Checkpointing: forget what a stage computed, and compute it again in the backward pass.

A stage keeps all its intermediate results until its backward pass, once for each micro-batch. With checkpointing it
keeps its inputs only. Backward then starts with the forward pass once more, with the same random numbers and the same
autocast.

Two autograd functions instead of one, so that the second computation need not wait for the gradient:

    forward     Checkpoint ----> (tensors) ----> Join
                                                  ^
                Recompute  ----> (phony) --------'

In the backward pass the engine reaches Join first. Recompute follows at once, and is on the stage's stream before
anything waits for the gradient's copy. Then Checkpoint gives the gradient to what was computed again.

What it does not do: help if a stage reads the clock, or counts its calls (a batch norm's running statistics are
updated twice; ``is_recomputing`` tells a layer which call it is in). Gradients flow by ``.backward()`` only.

>>> checkpointing = Checkpointing(lambda x: (x.exp().exp(),), torch.device("cpu"))
>>> x = torch.ones(3, requires_grad=True)
>>> (y,) = checkpointing.recompute((x,), checkpointing.checkpoint((x,)))
>>> y.sum().backward()
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from syncpoint.pipeline.dependency import fork, join
from syncpoint.pipeline.modes import Autocast

__all__ = ["Checkpointing", "RandomState", "is_checkpointing", "is_recomputing"]

Tensors = tuple[Tensor, ...]
Function = Callable[..., Tensors]

_phase = threading.local()


def is_checkpointing() -> bool:
    """Whether the stage runs for the first time, and will run again."""
    return getattr(_phase, "name", "") == "checkpoint"


def is_recomputing() -> bool:
    """Whether the stage runs for the second time, in the backward pass."""
    return getattr(_phase, "name", "") == "recompute"


@contextmanager
def _in_phase(name: str) -> Iterator[None]:
    before = getattr(_phase, "name", "")
    _phase.name = name
    try:
        yield
    finally:
        _phase.name = before


class RandomState:
    """The state of the random numbers of the host and of one device."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        module = torch.get_device_module(device)
        self._module = module if device.type != "cpu" and hasattr(module, "get_rng_state") else None
        self.host = torch.get_rng_state()
        self.on_device = None if self._module is None else _get_state(self._module, device)

    @contextmanager
    def restored(self) -> Iterator[None]:
        """A block that draws the numbers from here once more; afterwards all is as before."""
        before = RandomState(self.device)
        self._set()
        try:
            yield
        finally:
            before._set()

    def _set(self) -> None:
        torch.set_rng_state(self.host)
        if self._module is not None and self.on_device is not None:
            _set_state(self._module, self.on_device, self.device)


def _get_state(module: Any, device: torch.device) -> Tensor:
    state: Tensor = module.get_rng_state() if device.type == "mps" else module.get_rng_state(device)
    return state


def _set_state(module: Any, state: Tensor, device: torch.device) -> None:
    module.set_rng_state(state) if device.type == "mps" else module.set_rng_state(state, device)


class Checkpointing:
    """One stage with one micro-batch: ``checkpoint`` runs it, ``recompute`` prepares its second run."""

    def __init__(self, function: Function, device: torch.device) -> None:
        self.function, self.device = function, device
        self.random: RandomState | None = None
        self.autocast = Autocast({device.type})
        self.again: tuple[Tensors, Tensors] | None = None  # inputs and results of the second run

    def checkpoint(self, inputs: Tensors) -> Tensors:
        phony = torch.empty(0, device=self.device, requires_grad=True)  # else no input might ask for a backward pass
        return _Checkpoint.apply(self, phony, *inputs)

    def recompute(self, inputs: Tensors, outputs: Tensors) -> Tensors:
        """The outputs, with the second run tied to them in the backward pass."""
        outputs, phony = fork(outputs)
        return outputs if phony is None else join(outputs, _Recompute.apply(self, phony, *inputs))

    def run_again(self, inputs: Tensors) -> None:
        fresh = tuple(x.detach().requires_grad_(x.requires_grad) for x in inputs)
        assert self.random is not None, "checkpoint() runs first"
        with torch.enable_grad(), self.autocast.entered(), self.random.restored(), _in_phase("recompute"):
            self.again = fresh, self.function(*fresh)

    def gradients(self, grads: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
        assert self.again is not None, "recompute() runs first"
        (inputs, outputs), self.again = self.again, None
        pairs = [(y, g) for y, g in zip(outputs, grads, strict=True) if y.requires_grad and g is not None]
        if pairs:
            torch.autograd.backward([y for y, _ in pairs], [g for _, g in pairs])
        return tuple(x.grad for x in inputs)


class _Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, shared: Checkpointing, phony: Tensor, *inputs: Tensor) -> Tensors:
        ctx.set_materialize_grads(False)
        ctx.shared = shared
        shared.random = RandomState(shared.device)
        with torch.no_grad(), _in_phase("checkpoint"):
            outputs = shared.function(*inputs)
        return tuple(y.detach() for y in outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Any, ...]:
        return (None, None, *ctx.shared.gradients(grads))


class _Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, shared: Checkpointing, phony: Tensor, *inputs: Tensor) -> Tensor:
        ctx.set_materialize_grads(False)
        ctx.shared = shared
        ctx.save_for_backward(*inputs)
        return phony.detach()

    @staticmethod
    def backward(ctx: Any, _: Tensor | None) -> tuple[None, ...]:
        inputs = ctx.saved_tensors
        ctx.shared.run_again(inputs)
        return (None, None, *(None for _ in inputs))
