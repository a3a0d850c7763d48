"""Batches that are copied to the device and worked on, run on the simulator: host, copies and kernels.

One stream copies, another one computes. A batch may be copied into a buffer only when the last batch that lay there
has been read; so one buffer makes everything wait for everything, and two let a copy run beside a kernel. From pinned
memory the copy engine reads by itself. A pageable batch must first be staged by the host, piece by piece, which is
slower and keeps the host busy, ``non_blocking`` or not.

What it does not model: what the host's own calls cost (nothing here), a kernel that slows down while a copy runs, and a
driver that has no room left to stage a batch whose turn has not come.

>>> run = runs()["pinned", 2, 40, 60]
>>> [end for _, end in run.kernels[:3]]
[100.0, 160.0, 220.0]
>>> runs()["pinned", 1, 40, 60].total_us(3)
300.0
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from syncpoint.demos.apart import apart

if TYPE_CHECKING:
    from syncpoint.sim import Chip
    from syncpoint.trace import Trace

MEMORY = ("pinned", "pageable")
BUFFERS = (1, 2)
#: What the sliders offer, in microseconds; the copy's time is that of a pinned one.
TIMES = (10, 20, 40, 60, 80, 120)
MOST = 8  # batches

Span = tuple[float, float]
#: memory, buffers, copy, compute
Key = tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class Run:
    """Spans of MOST batches, in virtual microseconds; fewer batches are a beginning of these."""

    staging: tuple[Span, ...]  # the host, with a pageable batch; empty for pinned ones
    copies: tuple[Span, ...]
    kernels: tuple[Span, ...]
    races: int

    def total_us(self, batches: int) -> float:
        """When the last of so many batches has been worked on."""
        return self.kernels[batches - 1][1]

    def host_us(self, batches: int) -> float:
        """How long the host is busy with so many batches."""
        return sum(end - start for start, end in self.staging[:batches])


def pageable_factor() -> float:
    """How many times as long a pageable copy takes: the ratio of the rates of a T4's link."""
    import syncpoint as sp

    link = sp.sim.chips.get("T4").link
    return link.pinned_gbs / link.pageable_gbs


@cache
def runs() -> dict[Key, Run]:
    """Every setting's run."""
    return apart(_all, "ticks")


def _all() -> dict[Key, Run]:
    import syncpoint as sp

    found = {}
    for compute in TIMES:
        sp.sim.use(_chip(compute))  # the machine is a borrowed one
        for memory in MEMORY:
            for buffers in BUFFERS:
                for copy in TIMES:
                    found[memory, buffers, copy, compute] = _run(memory, buffers, copy)
    return found


def _chip(compute_us: int) -> Chip:
    """A made-up machine: a byte of pinned memory takes 1 us, every kernel the same time, and host calls none."""
    import syncpoint as sp

    ticks = sp.sim.chips.get("ticks")
    rate_gbs = 1e-3  # a byte a microsecond
    link = replace(ticks.link, latency_us=0.0, pinned_gbs=rate_gbs, pageable_gbs=rate_gbs / pageable_factor())
    return replace(ticks, name="overlap", link=link, kernel_us=float(compute_us), memory_gbs=math.inf, l2_gbs=math.inf,
                   tflops={"float32": math.inf})  # fmt: skip


def _run(memory: str, count: int, nbytes: int) -> Run:
    import torch

    import syncpoint as sp

    main, side = torch.accelerator.current_stream(), torch.Stream("sim")
    batch = torch.zeros(nbytes, dtype=torch.int8, device="cpu")
    batch = batch.pin_memory() if memory == "pinned" else batch
    buffers = [torch.zeros_like(batch, device="sim") for _ in range(count)]
    side.wait_stream(main)
    read: list[Any] = [main.record_event() for _ in buffers]
    with sp.trace("sim") as t:
        for i in range(MOST):
            slot = i % count
            side.wait_event(read[slot])
            with side:
                buffers[slot].copy_(batch, non_blocking=True)
            main.wait_stream(side)
            buffers[slot].neg_()
            read[slot] = main.record_event()
    return _told(t)


def _told(t: Trace) -> Run:
    """The host does nothing else in between, so its clock stands still but for staging."""
    began = t.start_us
    copies = tuple((c.start_us - began, c.end_us - began) for c in t.copies)
    kernels = tuple((k.start_us - began, k.end_us - began) for k in t.launches)
    staging = tuple(
        (c.at_us - began, k.at_us - began)
        for c, k in zip(t.copies, t.launches, strict=True)
        if c.blocking
    )  # fmt: skip
    return Run(staging, copies, kernels, len(t.races))
