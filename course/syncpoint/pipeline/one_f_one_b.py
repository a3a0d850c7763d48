"""1F1B: one forward, one backward. The same time as GPipe's schedule, with less to keep.

GPipe's way ends all forward passes before the first backward pass, so every stage keeps all m micro-batches. If each
micro-batch goes backward as soon as it can, stage j of n keeps at most n - j of them: the others have not begun, or
are done. For that the loss has to be computed for each micro-batch, so this is not a module with a forward pass but a
training step: forward, loss and backward in one call. It adds gradients to the parameters, as ``backward()`` does.

Stages are cut out of the autograd graph; results and gradients are handed over explicitly, on copy streams as in
``copying.py``. One host thread serves the stages in turn: each does its next step as soon as what it needs is there.

What it does not do: checkpointing, skip connections, and dropout with the same masks as another schedule.

>>> stages = [nn.Linear(4, 4), nn.Linear(4, 1)]
>>> step = TrainStep(stages, ["cpu", "cpu"], nn.functional.mse_loss, chunks=4)
>>> loss = step(torch.ones(8, 4), torch.zeros(8, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from syncpoint.pipeline.copying import move
from syncpoint.pipeline.engine import CopyStreams
from syncpoint.pipeline.gpipe import Device, _with_index
from syncpoint.pipeline.microbatch import Batch, Value, scatter
from syncpoint.pipeline.schedule import Deadlock, Step, check_complete, orders
from syncpoint.pipeline.skip import takes_part
from syncpoint.pipeline.streams import current_stream, wait_stream

__all__ = ["TrainStep"]

LossFn = Callable[..., Tensor]  # (result, target) -> the mean over the samples, 0-d


class TrainStep:
    """``step(x, target)`` trains on one batch and returns its mean loss, 0-d, on the last device.

    ``schedule``: "1f1b" or "gpipe", or a list of ``Step`` for each stage. ``loss_fn`` gives a mean over the samples; a
    micro-batch counts by its share of them.
    """

    def __init__(
        self, stages: Sequence[nn.Module], devices: Sequence[Device], loss_fn: LossFn, chunks: int,
        schedule: str | Sequence[Sequence[Step]] = "1f1b", copy_streams: bool = True,
    ) -> None:  # fmt: skip
        if len(stages) != len(devices) or not stages:
            raise ValueError(f"there are {len(stages)} stages and {len(devices)} devices; give each stage a device.")
        if any(takes_part(layer) for stage in stages for layer in stage.modules()):
            raise ValueError("a layer stashes or pops: skip connections over stages are for GPipe, not for TrainStep.")
        self.devices = [_with_index(device) for device in devices]
        self.stages = [stage.to(device) for stage, device in zip(stages, self.devices, strict=True)]
        self.loss_fn, self.chunks, self.schedule = loss_fn, chunks, schedule
        self.copier = CopyStreams(self.devices, copy_streams)

    def __call__(self, value: Value, target: Tensor) -> Tensor:
        return _Step(self, scatter(value, self.chunks), scatter(target, self.chunks)).run()


class _Step:
    """One training step."""

    def __init__(self, plan: TrainStep, inputs: list[Batch], targets: list[Batch]) -> None:
        self.plan, self.inputs, self.targets = plan, inputs, targets
        m, n = len(inputs), len(plan.stages)
        given = plan.schedule
        self.orders = orders(given, m, n) if isinstance(given, str) else [list(steps) for steps in given]
        check_complete(self.orders, m)
        self.last = n - 1
        self.samples = sum(len(batch) for batch in inputs)
        self.computing = [current_stream(device) for device in plan.devices]
        self.arrived: dict[tuple[int, int], Batch] = {(i, 0): batch for i, batch in enumerate(inputs)}
        self.gradients: dict[tuple[int, int], tuple[Tensor | None, ...]] = {}
        self.kept: dict[tuple[int, int], tuple[Batch, Batch]] = {}  # (i, j) -> leaves and results, until backward
        self.losses: list[Tensor] = []

    def run(self) -> Tensor:
        at = [0] * len(self.orders)
        while any(at[j] < len(steps) for j, steps in enumerate(self.orders)):
            moved = False
            for j, steps in enumerate(self.orders):
                if at[j] < len(steps) and self._ready(steps[at[j]], j):
                    self._do(steps[at[j]], j)
                    at[j] += 1
                    moved = True
            if not moved:
                raise Deadlock(self._stuck(at))
        return torch.stack(self.losses).sum()

    def _ready(self, step: Step, j: int) -> bool:
        if step.kind == "F":
            return (step.i, j) in self.arrived
        return (step.i, j) in (self.kept if j == self.last else self.gradients)

    def _do(self, step: Step, j: int) -> None:
        (self._forward if step.kind == "F" else self._backward)(step.i, j)

    def _forward(self, i: int, j: int) -> None:
        batch = self.arrived.pop((i, j))
        if j:
            wait_stream(self.computing[j], self.plan.copier(i, j))
        leaves = batch.with_tensors(tuple(_leaf(x, grad=j > 0) for x in batch.tensors))
        result = Batch.of(self.plan.stages[j](leaves.value), f"the result of stage {j}")
        if j == self.last:
            share = len(self.inputs[i]) / self.samples
            loss = self.plan.loss_fn(result.value, self.targets[i].value) * share
            self.losses.append(loss.detach())
            result = Batch((loss,), True)
        else:
            sent = self._send(tuple(y.detach() for y in result.tensors), i, j, j + 1)
            self.arrived[i, j + 1] = result.with_tensors(sent)
        self.kept[i, j] = leaves, result

    def _backward(self, i: int, j: int) -> None:
        leaves, result = self.kept.pop((i, j))
        grads: tuple[Tensor | None, ...] = (None,)
        if j != self.last:
            wait_stream(self.computing[j], self.plan.copier(i, j))
            grads = self.gradients.pop((i, j))
        start = j == self.last  # the loss needs no gradient from anybody
        both = zip(result.tensors, grads, strict=True)
        pairs = [(y, g) for y, g in both if y.requires_grad and (start or g is not None)]
        if pairs:
            torch.autograd.backward([y for y, _ in pairs], [g for _, g in pairs])
        if j:
            self.gradients[i, j - 1] = self._send(tuple(x.grad for x in leaves.tensors), i, j, j - 1)

    def _send(self, tensors: tuple[Any, ...], i: int, source: int, target: int) -> tuple[Any, ...]:
        """To the neighbour's device. The copy waits for what was computed; who takes it waits for the copy."""
        wait_stream(self.plan.copier(i, source), self.computing[source])
        return move(tensors, self.plan.copier(i, source), self.plan.copier(i, target))

    def _stuck(self, at: list[int]) -> str:
        lines = ["no stage can go on:"]
        for j, steps in enumerate(self.orders):
            if at[j] < len(steps):
                step = steps[at[j]]
                other = j - 1 if step.kind == "F" else j + 1
                what = "result" if step.kind == "F" else "gradient"
                wants = f"waits for the {what} of micro-batch {step.i} from stage {other}"
                lines.append(f"  stage {j}, step {at[j]}, {wants}.")
        return "\n".join([*lines, "The stages' lists must agree on an order of the micro-batches."])


def _leaf(x: Tensor, grad: bool) -> Tensor:
    """The start of a stage's own graph."""
    return x.detach().requires_grad_(grad and (x.is_floating_point() or x.is_complex()))
