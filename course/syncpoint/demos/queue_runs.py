"""What host and device do when with a queue of equal jobs, computed by the simulator's own clock.

The host launches one job after the other; the device runs them in order, none before it has been launched. At a wait
the host stands still until the device has nothing left to do, and then pays the fixed time of a synchronise call.

What it does not model: a queue that is full, several streams, copies.

>>> run = schedule(jobs=3, kernel_us=40.0, launch_us=10.0, waits_after=set())
>>> run.host_us, run.device_us
(30.0, 130.0)
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from syncpoint.sim.clock import Clock

Span = tuple[float, float]
#: What a synchronise call costs when nothing is left to wait for; as on the catalogue's T4.
WAIT_US = 5.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """Spans of time in microseconds since the first launch began."""

    launches: tuple[Span, ...]
    kernels: tuple[Span, ...]
    waits: tuple[Span, ...]
    host_us: float  # when the host is through: where a timer that doesn't wait stops
    device_us: float  # when the last kernel ends

    @property
    def idle_us(self) -> float:
        """How long the device had nothing to do between its first kernel and its last."""
        return self.kernels[-1][1] - self.kernels[0][0] - sum(end - start for start, end in self.kernels)


def schedule(jobs: int, kernel_us: float, launch_us: float, waits_after: Collection[int]) -> Schedule:
    """``waits_after``: the numbers of the jobs, from 1, behind which the host waits."""
    clock = Clock()
    launches, kernels, waits = [], [], []
    for job in range(1, jobs + 1):
        began = clock.host_us
        clock.host_us = began + launch_us
        launches.append((began, clock.host_us))
        kernels.append(clock.run(device=0, stream=0, duration_us=kernel_us))
        if job in waits_after:
            began = clock.host_us
            clock.wait_until(clock.device_end_us(0), WAIT_US)
            waits.append((began, clock.host_us))
    return Schedule(tuple(launches), tuple(kernels), tuple(waits), clock.host_us, clock.device_end_us(0))
