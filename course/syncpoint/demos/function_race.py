"""Two functions of the learner's, raced on virtual time: each is run once inside a trace.

A side's time ends when everything it started is done, on the host and on the device, so a function that only queues
work and returns early gains nothing by it.

What it does not do: check that both functions compute the same (``cpu_result`` and ``gpu_result`` are there to be
compared), or measure a real machine: time is virtual, on cuda and mps too.

>>> r = FunctionRace(lambda: a + 1, lambda: (a.to(device) + 1).cpu())
>>> r.winner, r.cpu_us, r.gpu_us
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from syncpoint.demos import stage
from syncpoint.demos.lanes import COPIES, Lane, lane, winner
from syncpoint.demos.page import number
from syncpoint.words import many, time_text, times

if TYPE_CHECKING:
    import torch

#: What the colours mean.
KEY = {
    "host": "operator on the CPU",
    "kernel": "kernel on the GPU",
    "H2D": "copy to the GPU",
    "D2H": "copy to the CPU",
    "P2P": "copy from GPU to GPU",
    "wait": "the host waits",
}
#: Units of the axis: name, factor from microseconds, and from how many microseconds on.
UNITS = (("s", 1e-6, 2e6), ("ms", 1e-3, 2e3), ("us", 1.0, 0.0))


class FunctionRace:
    """The result. ``winner`` is "CPU", "GPU" or "both"; times are microseconds."""

    def __init__(self, fn_cpu: Callable[[], Any], fn_gpu: Callable[[], Any], device: Any = None) -> None:
        where = _device(device)
        self.cpu_result, self._cpu = _run(fn_cpu, "CPU", where)
        self.gpu_result, self._gpu = _run(fn_gpu, "GPU", where)
        self.cpu_us, self.gpu_us = self._cpu.end, self._gpu.end
        self.winner = winner(self.cpu_us, self.gpu_us)
        self.text = " ".join(filter(None, [*self._told(), self._verdict(), self._notes()]))

    def _told(self) -> list[str]:
        parts, gpu = [], self._gpu
        if copies := gpu.count(*COPIES):
            parts.append(f"{many(copies, 'copy', 'copies')} took {time_text(gpu.spent(*COPIES))} of it")
        if gpu.count("wait"):
            parts.append(f"the host waited {times(gpu.count('wait'))}")
        detail = f" ({'; '.join(parts)})" if parts else ""
        return [f"Virtual time. CPU: {time_text(self.cpu_us)}. GPU: {time_text(self.gpu_us)}{detail}."]

    def _verdict(self) -> str:
        if self.winner == "both":
            return "Both finish at the same time."
        slow, fast = max(self.cpu_us, self.gpu_us), min(self.cpu_us, self.gpu_us)
        other = "GPU" if self.winner == "CPU" else "CPU"
        longer = f"; the {other} takes {number(round(slow / fast, 1))} times as long" if fast else ""
        return f"The {self.winner} finishes first{longer}."

    def _notes(self) -> str:
        """What a learner should look at before believing the result."""
        notes = []
        if not any(row.name != "host" for row in self._gpu.rows):
            notes.append("The second function did nothing on the device: is its input there?")
        if any(row.name != "host" for row in self._cpu.rows):
            notes.append("The first function used the device as well.")
        return " ".join(notes)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        unit, factor = next((u, f) for u, f, least in UNITS if max(self.cpu_us, self.gpu_us) >= least)
        lanes = [self._cpu.scaled(factor), self._gpu.scaled(factor)]
        key = [(kind, text) for kind, text in KEY.items() if any(ln.count(kind) for ln in lanes)]
        data = stage.data("A race of two functions", [stage.run("", lanes, self.text, unit)], key, unit)
        alt = "What the CPU and the GPU did and when, as bars on one axis of virtual time."
        return {"text/plain": self.text, "text/html": stage.figure(data, [("", lanes)], alt, [self.text])}

    def __repr__(self) -> str:
        return self.text


def _device(given: Any) -> torch.device:
    """The device to trace: the one asked for, else the lab's, else (there the lab's is the CPU) the simulated one."""
    import torch

    from syncpoint import devices

    where = devices.chosen() if given is None else torch.device(given)
    return torch.device("sim") if where.type == "cpu" else where


def _run(fn: Callable[[], Any], name: str, device: torch.device) -> tuple[Any, Lane]:
    """The function's result and its lane."""
    import syncpoint as sp

    with sp.trace(device) as t:  # waits for what is under way, so both functions start alike
        result = fn()
    return result, lane(name, t)
