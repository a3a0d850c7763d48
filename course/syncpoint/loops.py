"""Loops that end when a value on the device says so, in four ways, and the gain solver of lab 05.

A loop is two functions of the same tensors, its state: ``cond`` says whether to go on, as a bool tensor, and ``body``
gives the next state. Where ``cond`` has one entry a sample, a sample that is done keeps its values while the others
go on. Tensors that never change stand in ``given`` and are handed on after the state. All four ways give the same
values; they differ in how often the host waits for n steps (n > 0):

    python_while    n + 1         the host reads every test
    while_loop      n + 2         PyTorch's own operator, outside a captured graph; it reads the first test twice
    check_every     ceil(n / k)   k steps, then one test that the host reads
    Unrolled        0             a fixed number of layers; ``converged`` says, on the device, whether they were enough

For n = 0 the first three wait once. What is not here: a bound on the steps (a loop whose ``cond`` stays True never
ends, except in ``Unrolled``), and a guard against ``torch.where``'s gradient: where ``body`` gives inf or NaN for a
sample that is done, the gradient becomes NaN although the value does not.

>>> start = torch.tensor(5), torch.ones(2)
>>> python_while(lambda left, x: left > 0, lambda left, x: (left - 1, x * 2), start)
(tensor(0), tensor([32., 32.]))
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

__all__ = ["GainLoop", "GainSolver", "Layer", "Unrolled", "check_every", "python_while", "while_loop"]

State = tuple[Tensor, ...]
Cond = Callable[..., Tensor]  # (*state, *given) -> bool tensor: 0-d, or (B,) with one entry a sample
Body = Callable[..., State]  # (*state, *given) -> the next state, same shapes and dtypes


# Three loops that the host runs ------------------------------------------------------------------------------------


def python_while(cond: Cond, body: Body, state: State, given: State = ()) -> State:
    """Test, step, test, step ...: the host reads each test before it launches the next step. n + 1 waits."""
    active = _test(cond, state, given)
    while _any(active):  # here the host waits
        state = _step(active, body, state, given)
        active = _test(cond, state, given)
    return state


def while_loop(cond: Cond, body: Body, state: State, given: State = ()) -> State:
    """PyTorch's ``while_loop`` operator. n + 2 waits; the first call in a process also costs seconds of tracing.

    ``body`` must give new tensors of the state's shapes and dtypes, and must change nothing in place. ``cond`` is
    launched twice a step, because the step looks at it for samples that are done.
    """
    from torch._higher_order_ops import while_loop as torch_while_loop

    def go_on(*state: Tensor) -> Tensor:
        return _any(_test(cond, state, given))

    def step(*state: Tensor) -> State:
        return _step(_test(cond, state, given), body, state, given)

    return tuple(torch_while_loop(go_on, step, tuple(state)))


def check_every(k: int, cond: Cond, body: Body, state: State, given: State = ()) -> State:
    """``k`` steps, then one test that the host reads, until it is False. ceil(n / k) waits.

    Steps after the last one that was needed change nothing, but they are launched all the same.
    """
    if k < 1:
        raise ValueError(f"check_every: k is {k}; test every 1 step or more.")
    layer = Layer(cond, body)
    while True:
        for _ in range(k):
            state = layer(state, given)
        if not _any(_test(cond, state, given)):  # here the host waits
            return state


# The loop as layers ------------------------------------------------------------------------------------------------


class Layer(nn.Module):
    """One step of a loop without a host read: the new state where ``cond`` holds, the old one elsewhere."""

    def __init__(self, cond: Cond, body: Body) -> None:
        super().__init__()
        self.cond, self.body = cond, body

    def forward(self, state: State, given: State = ()) -> State:
        active = _test(self.cond, state, given)
        return _keep(active, self.body(*state, *given), state)


class Unrolled(nn.Module):
    """A loop as a chain of ``layers`` layers. Returns the state and ``converged``, a bool tensor. No waits.

    ``converged`` is False where the layers were too few. It is ``done(*state, *given)``, or the opposite of ``cond``
    when no ``done`` is given. (They differ for NaN, which is neither below a tolerance nor above it.)
    A ``body`` with parameters of its own shares them between all layers.
    """

    def __init__(self, cond: Cond, body: Body, layers: int, done: Cond | None = None) -> None:
        if layers < 0:
            raise ValueError(f"Unrolled: layers is {layers}; a loop has 0 layers or more.")
        super().__init__()
        self.layers = nn.ModuleList([Layer(cond, body) for _ in range(layers)])
        self.cond, self.done = cond, done

    def forward(self, state: State, given: State = ()) -> tuple[State, Tensor]:
        for layer in self.layers:
            state = layer(state, given)
        converged = ~_test(self.cond, state, given) if self.done is None else _test(self.done, state, given)
        return state, converged


# The gain solver ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GainLoop:
    """Find the gain g in y = g * a by small steps: g <- g + (1 - q) / N * a^H (y - g a).

    ``a`` holds N unit arrows e^{j phi} (complex), ``y`` what was measured; both (..., N). Each step leaves the part
    ``q`` of the error, so step n has the size (1 - q) q^(n-1) |g|. The loop ends after the first step that is smaller
    than ``tol``. The state is (gain, size of the last step, steps taken), each of shape (...).

    >>> loop, a = GainLoop(q=0.5, tol=1e-3), torch.polar(torch.ones(16), torch.arange(16.0))
    >>> gain, size, steps = python_while(loop.cond, loop.body, loop.start(a), (1.0 * a, a))
    >>> steps
    tensor(10)
    """

    q: float = 0.5
    tol: float = 1e-3

    def start(self, y: Tensor) -> State:
        """No gain yet, an endless last step so that the loop begins, no steps. Nothing is copied to the device."""
        gain = y.new_zeros(y.shape[:-1])
        size = gain.real.new_full(gain.shape, math.inf)  # (full_like would keep the strides of a real part)
        return gain, size, torch.zeros_like(size, dtype=torch.int64)

    def cond(self, gain: Tensor, size: Tensor, steps: Tensor, y: Tensor, a: Tensor) -> Tensor:
        """Go on. False for NaN, so that no loop runs for ever."""
        return size >= self.tol

    def done(self, gain: Tensor, size: Tensor, steps: Tensor, y: Tensor, a: Tensor) -> Tensor:
        """Small enough. False for NaN, so that a broken sample never counts as solved."""
        return size < self.tol

    def body(self, gain: Tensor, size: Tensor, steps: Tensor, y: Tensor, a: Tensor) -> State:
        """One step."""
        residual = y - gain.unsqueeze(-1) * a  # (..., N)
        step = (1 - self.q) * (a.conj() * residual).mean(-1)  # (...)
        return gain + step, step.abs(), steps + 1


class GainSolver(nn.Module):
    """``GainLoop`` unrolled: (y, a) -> (gain, steps, converged), each of shape (...). The host never waits."""

    def __init__(self, layers: int, q: float = 0.5, tol: float = 1e-3) -> None:
        super().__init__()
        loop = GainLoop(q, tol)
        self.start, self.loop = loop.start, Unrolled(loop.cond, loop.body, layers, loop.done)

    def forward(self, y: Tensor, a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        (gain, _, steps), converged = self.loop(self.start(y), (y, a))
        return gain, steps, converged


# How the loops do it -----------------------------------------------------------------------------------------------


def _test(cond: Cond, state: State, given: State) -> Tensor:
    active = cond(*state, *given)
    if not isinstance(active, Tensor) or active.dtype != torch.bool:
        kind = f"a {active.dtype} tensor" if isinstance(active, Tensor) else f"a {type(active).__name__}"
        raise TypeError(f"the loop's test gave {kind}, expected a bool tensor: compare tensors, as in size >= tol.")
    return active


def _any(active: Tensor) -> Tensor:
    """0-d: whether any sample is active. A 0-d test is that already."""
    return active.any() if active.dim() else active


def _step(active: Tensor, body: Body, state: State, given: State) -> State:
    """One step of a loop that goes on. A loop with one test for all needs no mask."""
    new = body(*state, *given)
    return _keep(active, new, state) if active.dim() else tuple(new)


def _keep(active: Tensor, new: State, old: State) -> State:
    """The new tensors where ``active``, the old ones elsewhere; ``active`` has the leading dimensions of each."""
    if len(new) != len(old):
        raise TypeError(f"the loop's body gave {len(new)} tensors for a state of {len(old)}.")
    return tuple(
        torch.where(active.reshape(active.shape + (1,) * (n.dim() - active.dim())), n, o)
        for n, o in zip(new, old, strict=True)
    )
