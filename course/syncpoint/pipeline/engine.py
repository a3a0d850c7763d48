"""The engine: micro-batches through stages, tick by tick, on streams that put themselves in order.

Each tick has two halves. The *fence* brings the micro-batches to the devices of their next stages; *compute* runs the
stages. One task (i, j) looks like this in the autograd graph; backward goes through it from below:

      Copy        the fence: from the copy stream of (i, j-1) to that of (i, j)
      Wait  [1]   the compute stream waits for the copy stream
      stage [2]   (with checkpointing: Checkpoint)
      Wait  [3]   the copy stream waits for the compute stream
      Join  [4]   (with checkpointing: here Recompute is tied in)
      Copy        the next tick's fence

[4] stands after [3], so the backward pass puts the second computation on the stream before it waits for the gradient.

What it does not do: choose the cuts (``balance.py``) or look after modules (``gpipe.py``).

>>> engine = Pipeline([nn.Linear(4, 4), nn.ReLU()], [torch.device("cpu")] * 2)
>>> gather(engine.run(scatter(torch.ones(8, 4), 4))).shape
torch.Size([8, 4])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from syncpoint.pipeline.checkpointing import Checkpointing
from syncpoint.pipeline.copying import Copy, Wait
from syncpoint.pipeline.dependency import depend
from syncpoint.pipeline.microbatch import Batch, gather, scatter
from syncpoint.pipeline.schedule import clock_cycles
from syncpoint.pipeline.skip import StageCall, inspect_skips
from syncpoint.pipeline.streams import Stream, current_stream, new_stream, use_stream
from syncpoint.pipeline.worker import Workers

__all__ = ["CHECKPOINT", "CopyStreams", "Pipeline", "gather", "scatter"]

CHECKPOINT = ("always", "except_last", "never")


class CopyStreams:
    """A stream for each (micro-batch, stage), made when it is first asked for and kept.

    ``own=False``: copies run on the compute streams, as in a pipeline without copy streams.
    """

    def __init__(self, devices: Sequence[torch.device], own: bool) -> None:
        self.devices, self.own = devices, own
        self._streams: dict[tuple[int, int], Stream] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy of a pipeline makes streams of its own."""
        return CopyStreams, (self.devices, self.own)

    def __call__(self, i: int, j: int) -> Stream:
        if not self.own:
            return current_stream(self.devices[j])
        if (i, j) not in self._streams:
            self._streams[i, j] = new_stream(self.devices[j])
        return self._streams[i, j]


class Pipeline:
    """Stages on devices. ``checkpoint``: "always", "except_last" (micro-batch) or "never"."""

    def __init__(
        self, stages: Sequence[nn.Module], devices: Sequence[torch.device], checkpoint: str = "never",
        copy_streams: bool = True,
    ) -> None:  # fmt: skip
        if len(stages) != len(devices) or not stages:
            raise ValueError(f"there are {len(stages)} stages and {len(devices)} devices; give each stage a device.")
        if checkpoint not in CHECKPOINT:
            raise ValueError(f"checkpoint is {checkpoint!r}; known: {', '.join(map(repr, CHECKPOINT))}.")
        self.stages: Sequence[nn.Module] | nn.ModuleList = list(stages)
        self.devices, self.checkpoint = list(devices), checkpoint
        self.layout = inspect_skips([s if isinstance(s, nn.Sequential) else [s] for s in stages])
        self.copier = CopyStreams(self.devices, copy_streams)

    def run(self, batches: Sequence[Batch]) -> list[Batch]:
        """All micro-batches through all stages: what the last stage makes of each."""
        state = _Run(self, list(batches))
        with Workers(self.devices) as workers:
            for tick in clock_cycles(len(batches), len(self.stages)):
                state.fence(tick)
                state.compute(tick, workers)
        return state.batches

    def checkpointed(self, m: int) -> int:
        """How many of m micro-batches are checkpointed: the first ones."""
        if not torch.is_grad_enabled():
            return 0
        return {"always": m, "except_last": m - 1, "never": 0}[self.checkpoint]


class _Run:
    """One forward pass."""

    def __init__(self, pipeline: Pipeline, batches: list[Batch]) -> None:
        self.pipeline, self.batches = pipeline, batches
        self.computing = [current_stream(device) for device in pipeline.devices]
        self.copier = pipeline.copier
        self.skips: list[dict[str, Tensor]] = [{} for _ in batches]
        self.checkpointed = pipeline.checkpointed(len(batches))

    def fence(self, tick: list[tuple[int, int]]) -> None:
        """Everything that the tick's tasks need comes to their devices."""
        layout = self.pipeline.layout
        for i, j in tick:
            if i:  # backward, stage j sees micro-batch i before i - 1
                before, now = self.batches[i - 1], self.batches[i]
                first, second = depend(before.tensors, now.tensors)
                self.batches[i - 1], self.batches[i] = before.with_tensors(first), now.with_tensors(second)
            if j:
                batch = self.batches[i]
                self.batches[i] = batch.with_tensors(self._copy(batch.tensors, i, j - 1, j))
            for name in layout.pops[j]:
                (self.skips[i][name],) = self._copy((self.skips[i][name],), i, layout.source[name], j)

    def _copy(self, tensors: tuple[Tensor, ...], i: int, source: int, target: int) -> tuple[Tensor, ...]:
        return Copy.apply(self.copier(i, source), self.copier(i, target), *tensors)

    def compute(self, tick: list[tuple[int, int]], workers: Workers) -> None:
        """The tick's tasks, side by side."""
        jobs = [self._job(i, j) for i, j in tick]
        results = workers.run([(j, job.task) for (_, j), job in zip(tick, jobs, strict=True)])
        for (i, j), job, outputs in zip(tick, jobs, results, strict=True):
            if j < len(self.pipeline.stages) - 1:
                outputs = Wait.apply(self.computing[j], self.copier(i, j), *outputs)  # [3]
            outputs = job.finalize(outputs)  # [4]
            self.batches[i], stashed = job.call.split(outputs)
            self.skips[i].update(stashed)

    def _job(self, i: int, j: int) -> _Job:
        pops = self.pipeline.layout.pops[j]
        batch = self.batches[i]
        inputs = (*batch.tensors, *(self.skips[i].pop(name) for name in pops))
        if j:
            inputs = Wait.apply(self.copier(i, j), self.computing[j], *inputs)  # [1]
        call = StageCall(self.pipeline.stages[j], j, batch.single, pops)
        return _Job(call, inputs, self.pipeline.devices[j], self.computing[j], i < self.checkpointed)


class _Job:
    """One task (i, j): what a worker runs, and what is left to do afterwards."""

    def __init__(
        self, call: StageCall, inputs: tuple[Tensor, ...], device: torch.device, stream: Stream, checkpoint: bool
    ) -> None:
        self.call, self.inputs, self.stream = call, inputs, stream
        self.checkpointing = Checkpointing(call, device) if checkpoint else None

    def task(self) -> tuple[Tensor, ...]:
        run: Callable[..., Any] = self.call
        with use_stream(self.stream):
            if self.checkpointing is not None:
                return self.checkpointing.checkpoint(self.inputs)
            return run(*self.inputs)

    def finalize(self, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        if self.checkpointing is None:
            return outputs
        return self.checkpointing.recompute(self.inputs, outputs)
