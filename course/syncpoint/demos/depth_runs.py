"""What a loop costs when the host tests it, and what it costs as layers: the gain solver, run and measured.

The loop is ``syncpoint.loops.GainLoop`` on 256 samples of 16 antennas in double precision, all with the gain 1. Steps
and errors come from the loop itself, waits and times from its trace on a simulated T4, and memory is what PyTorch
keeps for training, counted by its own hooks, each storage once. No number here is worked out by a formula.

What it does not do: PyTorch's ``while_loop``, whose first call takes seconds of tracing. It waits once more than
``python_while``.

>>> runs = measure(0.5, 4)
>>> runs.steps[1e-3], [cost.waits for cost in runs.host_loops[1e-3]]
(10, [11, 3])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from syncpoint.demos.apart import apart

if TYPE_CHECKING:
    from torch import Tensor

    from syncpoint.loops import GainLoop

SAMPLES, ANTENNAS = 256, 16
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
#: How many layers more than the finest tolerance needs can be tried.
SPARE = 4
CHIP = "T4"


@dataclass(frozen=True)
class Cost:
    """One run on the simulated device."""

    waits: int
    steps: int  # launched, needed or not
    elapsed_us: float  # until host and device were done


@dataclass(frozen=True)
class Runs:
    """All that the demo shows. The lists have one entry for each number of layers, from 0 on."""

    steps: dict[float, int]  # how many steps each tolerance needs
    host_loops: dict[float, tuple[Cost, Cost]]  # for each tolerance: a test for every step, a test every few steps
    layers: list[Cost]
    errors: list[float]  # |gain - 1| after so many steps
    sizes: list[float]  # of the last step; infinite before the first
    converged: dict[float, list[bool]]
    saved_bytes: list[int]  # kept for training after so many steps


@cache
def measure(q: float, every: int) -> Runs:
    """Run the loop for each tolerance and for each number of layers."""
    return apart(partial(_measure, q, every), CHIP)


def _measure(q: float, every: int) -> Runs:
    import torch

    from syncpoint.loops import GainLoop, check_every, python_while

    count = SAMPLES * ANTENNAS  # "cpu" and float64 by name, whatever the learner's defaults are
    angle = torch.linspace(0, 6, count, dtype=torch.float64, device="cpu").view(SAMPLES, ANTENNAS)
    a = torch.polar(torch.ones_like(angle), angle)
    loops = {tol: GainLoop(q, tol) for tol in TOLERANCES}
    ways = python_while, partial(check_every, every)
    costs = {tol: (_host_loop(ways[0], loop, a), _host_loop(ways[1], loop, a)) for tol, loop in loops.items()}
    steps = {tol: both[0].steps for tol, both in costs.items()}
    most = max(steps.values()) + SPARE
    errors, sizes = _errors(loops[TOLERANCES[-1]], most, a)
    converged = {tol: _converged(q, tol, most, a) for tol in TOLERANCES}
    layers = _layers(q, most, a)
    return Runs(steps, costs, layers, errors, sizes, converged, _saved(q, most, a))


def _host_loop(run: Callable[..., tuple[Tensor, ...]], loop: GainLoop, a: Tensor) -> Cost:
    """One loop that the host tests, on the device."""
    import syncpoint as sp

    launched, there = 0, a.to("sim")

    def body(gain: Tensor, size: Tensor, steps: Tensor, y: Tensor, a: Tensor) -> tuple[Tensor, ...]:
        nonlocal launched
        launched += 1
        return loop.body(gain, size, steps, y, a)

    with sp.trace("sim") as t:
        run(loop.cond, body, loop.start(there), (there, there))
    return Cost(len(t.waits), launched, t.elapsed_us)


def _layers(q: float, most: int, a: Tensor) -> list[Cost]:
    """The same loop as layers, on the device; the clock is read behind each of them."""
    import syncpoint as sp

    there, solver = a.to("sim"), sp.loops.GainSolver(most, q)
    with sp.trace("sim") as t:
        state = solver.start(there)
        found = [Cost(0, 0, t.elapsed_us)]
        for count, layer in enumerate(solver.loop.layers, 1):
            state = layer(state, (there, there))
            found.append(Cost(len(t.waits), count, t.elapsed_us))
    return found


def _errors(loop: GainLoop, most: int, a: Tensor) -> tuple[list[float], list[float]]:
    """How far the gain is from 1 after each step, and how large the step was."""
    gain, size, steps = loop.start(a)
    errors, sizes = [1.0], [math.inf]
    for _ in range(most):
        gain, size, steps = loop.body(gain, size, steps, a, a)
        errors.append(float((gain - 1).abs().max()))
        sizes.append(float(size.max()))
    return errors, sizes


def _converged(q: float, tol: float, most: int, a: Tensor) -> list[bool]:
    """What ``converged`` says with 0, 1, 2 ... layers."""
    import syncpoint as sp

    loop, state = sp.loops.GainLoop(q, tol), sp.loops.GainLoop(q, tol).start(a)
    layer, found = sp.loops.Layer(loop.cond, loop.body), [False]
    for _ in range(most):
        gain, size, steps = state = layer(state, (a, a))
        found.append(bool(loop.done(gain, size, steps, a, a).all()))
    return found


def _saved(q: float, most: int, a: Tensor) -> list[int]:
    """Bytes that PyTorch keeps for the backward pass after each layer, when the phases are to be learned."""
    import torch

    import syncpoint as sp

    kept: dict[int, Tensor] = {}

    def pack(tensor: Tensor) -> Tensor:
        kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    solver, learned = sp.loops.GainSolver(most, q), a.clone().requires_grad_()
    found, state = [0], solver.start(a)
    with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        for layer in solver.loop.layers:
            state = layer(state, (a, learned))
            found.append(sum(tensor.untyped_storage().nbytes() for tensor in kept.values()))
    return found
