"""How long a pipeline takes, in closed form, and a small replay for the cases that have none. Plain numbers, no torch.

m micro-batches, n stages; ``compute`` is what one stage needs for one micro-batch, ``copy`` what one transfer between
two stages needs, in any unit of time. The formulas are those of a forward pass; a backward pass of the same shape has
the same ones with its own costs. They hold for a host that is never late.

What it does not do: count the host's launches, or the way of the first micro-batch to the first device.

>>> span(4, 2, 3), span(4, 2, 3, copy=1), replay(4, [3, 3], copy=1, copy_streams=False)
(15, 16, 19)
"""

from __future__ import annotations

from collections.abc import Sequence

from syncpoint.pipeline.schedule import clock_cycles

__all__ = ["bubble", "bubble_uneven", "replay", "span", "span_uneven", "ticks"]


def ticks(m: int, n: int) -> int:
    """m + n - 1 ticks: the last micro-batch starts after m - 1 others, and has n stages to pass."""
    return m + n - 1


def bubble(m: int, n: int) -> float:
    """The part of all stages' time in which a stage has nothing to do: (n - 1) / (m + n - 1)."""
    return (n - 1) / ticks(m, n)


def span(m: int, n: int, compute: float, copy: float = 0) -> float:
    """Equal stages, copies on streams of their own: n c + (n - 1) p + (m - 1) max(c, p).

    The first micro-batch passes n stages and n - 1 links. Then one more arrives each time the slower of stage and link
    is through. (One stage has no link.)
    """
    slower = max(compute, copy) if n > 1 else compute
    return n * compute + (n - 1) * copy + (m - 1) * slower


def span_uneven(m: int, computes: Sequence[float]) -> float:
    """Stages of different cost, free copies: the sum of all, and then m - 1 times the slowest."""
    return sum(computes) + (m - 1) * max(computes)


def bubble_uneven(m: int, computes: Sequence[float]) -> float:
    """The idle part for stages of different cost: the slowest one is never idle once it has begun, the others wait."""
    return 1 - m * sum(computes) / (len(computes) * span_uneven(m, computes))


def replay(m: int, computes: Sequence[float], copy: float = 0, copy_streams: bool = True) -> float:
    """The time until all is done, by playing the clock schedule with a pencil.

    Without ``copy_streams`` a transfer is one more step in the queues of both stages, so that both stand still for it.
    """
    n = len(computes)
    stage_free, link_free, arrived = [0.0] * n, [0.0] * n, [0.0] * m
    for tick in clock_cycles(m, n):
        for i, j in tick:
            if j == 0:
                continue
            ends = [link_free[j]] if copy_streams else [stage_free[j - 1], stage_free[j]]
            arrived[i] = max(arrived[i], *ends) + copy
            if copy_streams:
                link_free[j] = arrived[i]
            else:
                stage_free[j - 1] = stage_free[j] = arrived[i]
        for i, j in tick:
            arrived[i] = stage_free[j] = max(arrived[i], stage_free[j]) + computes[j]
    return max(arrived)
