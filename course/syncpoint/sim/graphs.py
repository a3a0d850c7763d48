"""Graphs: a sequence of operators captured once and launched as one, as ``torch.cuda.CUDAGraph``.

>>> g = torch.sim.Graph()
>>> with torch.sim.graph(g):
...     y = x * 2 + 1            # captured: nothing runs yet
>>> x.copy_(new); g.replay()     # one launch; y holds new * 2 + 1

The rules are CUDA's. While capturing, the host may not wait for the device: no reading of values, no blocking copy, no
size that depends on data. A replay works on the very memory that was captured, so inputs are copied into place and
results are read from where they were. In-place changes made during capture do not happen until the first replay.

A replay costs the host one launch and the device a little time a node. Not modelled: memory pools of graphs, capture of
several streams at once, that a captured copy to the host arrives only when the device gets there, and autograd through
a replay (``make_graphed_callables`` refuses by name).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch

from syncpoint.sim import blocks
from syncpoint.sim.machine import machine

#: Device time a node takes beside its work: 1.1 to 1.3 us were measured with PyTorch (published figures, cost model).
NODE_US = 1.2


class Graph:
    """A captured sequence of operators."""

    def __init__(self, keep_graph: bool = False) -> None:
        self._nodes: list[Callable[[], None]] = []
        self._work_us = 0.0
        self._before: list[tuple[torch.Tensor, torch.Tensor]] = []  # twin, its values before the capture
        self._results: list[torch.Tensor] = []  # twins of what was made: nothing stands there before a replay
        self._seen: set[int] = set()
        self._captured = False
        self._index = 0

    # ---- called by the dispatcher while capturing

    def node(self, run: Callable[[], None], results: Iterable[torch.Tensor] = ()) -> None:
        """One operator: how to run it again, and the twins of what it has made."""
        self._nodes.append(run)
        self._results.extend(results)

    def will_write(self, twins: Iterable[torch.Tensor]) -> None:
        """An operator is about to change these in place: at the end of the capture they are as before."""
        for twin in twins:
            if twin.data_ptr() not in self._seen:
                self._seen.add(twin.data_ptr())
                self._before.append((twin, twin.clone()))

    def work(self, duration_us: float) -> None:
        self._work_us += max(duration_us - machine.chip.kernel_us, 0.0) + NODE_US

    # ---- the learner's side

    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global") -> None:
        if machine.capture is not None:
            raise RuntimeError("sim error: another graph is being captured already")
        if self._captured:
            raise RuntimeError("This Graph instance has already been captured. Use reset() first.")
        self._index = machine.current_device
        machine.capture = self

    def capture_end(self) -> None:
        if machine.capture is not self:
            raise RuntimeError("sim error: this graph is not being captured")
        machine.capture = None
        self._put_back()  # capturing runs nothing
        for result in self._results:
            blocks.fill_poison(result)
        self._captured = True

    def abandon(self) -> None:
        """Capturing failed: nothing has happened."""
        machine.capture = None
        self._put_back()
        self.reset()

    def _put_back(self) -> None:
        for twin, values in self._before:
            if twin.shape == values.shape:
                twin.copy_(values)
            else:  # an empty tensor that an operator gave its size: there is nothing to put back
                blocks.fill_poison(twin)

    def replay(self) -> None:
        """Run all captured operators again, as one launch."""
        if not self._captured:
            raise RuntimeError("Called Graph.replay without a preceding successful capture.")
        machine.begin("graph", self._index)
        machine.replaying = True  # what now runs on the CPU is the device's work
        try:
            for run in self._nodes:
                run()
        finally:
            machine.replaying = False
        machine.occupy("graph", self._index, self._work_us)

    def reset(self) -> None:
        self.__init__()  # type: ignore[misc]

    def __len__(self) -> int:
        """The number of captured operators."""
        return len(self._nodes)


class graph:
    """A block whose operators are captured into a graph. Entering waits for the device, as on CUDA."""

    def __init__(self, sim_graph: Graph, pool: Any = None, stream: Any = None, **options: Any) -> None:
        self.graph, self.stream = sim_graph, stream

    def __enter__(self) -> None:
        from syncpoint.sim import module

        module.synchronize()
        if self.stream is not None:
            self.stream.__enter__()
        self.graph.capture_begin()

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is None:
            self.graph.capture_end()
        else:
            self.graph.abandon()
        if self.stream is not None:
            self.stream.__exit__(kind, error, traceback)


def is_current_stream_capturing() -> bool:
    return machine.capture is not None


def make_graphed_callables(*args: Any, **options: Any) -> Any:
    raise NotImplementedError(
        "sim does not support make_graphed_callables: it captures no backward pass. Capture the step with "
        "torch.sim.graph(torch.sim.Graph()) instead."
    )
