"""When each stage of a pipeline works on which micro-batch, played with a pencil: plain Python, no device.

Micro-batch i passes the stages in order, and each stage takes the micro-batches in order (``clock_cycles``, as GPipe
does). Between two stages stands a copy. With copy streams it runs beside the stages, one at a time on each link.
Without them a copy is one more step in the queues of both stages, and both stand still for it.

What it does not model: the host's launches, a backward pass, memory.

>>> played = play(8, (3, 3, 3, 3), copy=1, copy_streams=True)
>>> played.total, closed_form(8, (3, 3, 3, 3), 1)
(36, 36)
>>> play(8, (3, 3, 3, 3), copy=1, copy_streams=False).total
52
"""

from __future__ import annotations

from dataclasses import dataclass

from syncpoint.pipeline.schedule import clock_cycles

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Played:
    """Spans by stage, in the order of the micro-batches. ``copies[j]`` are those into stage j: none into stage 0."""

    tasks: tuple[tuple[Span, ...], ...]
    copies: tuple[tuple[Span, ...], ...]

    @property
    def total(self) -> int:
        """When the last stage is through."""
        return self.tasks[-1][-1][1]

    @property
    def bubble(self) -> float:
        """The part of the stages' time in which they compute nothing."""
        busy = sum(end - start for stage in self.tasks for start, end in stage)
        return 1 - busy / (len(self.tasks) * self.total)


def play(m: int, computes: tuple[int, ...], copy: int, copy_streams: bool) -> Played:
    """m micro-batches through stages that take so long each. bubble.js plays by the same rules."""
    n = len(computes)
    stage_free, link_free, arrived = [0] * n, [0] * n, [0] * m
    tasks: list[list[Span]] = [[] for _ in computes]
    copies: list[list[Span]] = [[] for _ in computes]
    for tick in clock_cycles(m, n):
        for i, j in tick:
            if j == 0:
                continue
            queues = (link_free[j],) if copy_streams else (stage_free[j - 1], stage_free[j])
            began = max(arrived[i], *queues)
            arrived[i] = began + copy
            if copy_streams:
                link_free[j] = arrived[i]
            else:
                stage_free[j - 1] = stage_free[j] = arrived[i]
            copies[j].append((began, arrived[i]))
        for i, j in tick:
            began = max(arrived[i], stage_free[j])
            arrived[i] = stage_free[j] = began + computes[j]
            tasks[j].append((began, arrived[i]))
    return Played(tuple(map(tuple, tasks)), tuple(map(tuple, copies)))


def closed_form(m: int, computes: tuple[int, ...], copy: int) -> int:
    """The total time with copy streams. For equal stages of time c: n c + (n - 1) p + (m - 1) max(c, p).

    The first micro-batch passes all stages and links; then one arrives each time the slowest of them is through.
    """
    n = len(computes)
    slowest = max(max(computes), copy if n > 1 else 0)
    return sum(computes) + (n - 1) * copy + (m - 1) * slowest
