"""Who computes what, and when. The one convention of this package stands here:

    a task is (i, j): micro-batch i of m, stage j of n. The micro-batch always comes first. Both count from 0.

``clock_cycles`` is GPipe's forward schedule, tick by tick. ``orders`` gives each stage its own list of forward and
backward steps, for GPipe and for 1F1B ("one forward, one backward"). ``with_transfers`` adds the sends and receives
between neighbours, and ``rehearse`` plays such lists without computing anything: it finds a deadlock and says who
waits for whom.

What it does not do: time (see ``formulas.py``), or several stages a device (interleaved schedules).

>>> clock_cycles(2, 2)
[[(0, 0)], [(1, 0), (0, 1)], [(1, 1)]]
>>> [str(step) for step in orders("1f1b", 3, 2)[0]]
['F0', 'F1', 'B0', 'F2', 'B1', 'B2']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["SCHEDULES", "Deadlock", "Step", "clock_cycles", "in_flight", "orders", "rehearse", "with_transfers"]

SCHEDULES = ("gpipe", "1f1b")


class Deadlock(RuntimeError):
    """No stage can go on."""


class Step(NamedTuple):
    """What a stage does: "F" or "B" of a micro-batch, or a transfer: "send F" hands its result to the next stage,
    "recv F" takes the previous one's; "send B" and "recv B" do the same with gradients, the other way."""

    kind: str
    i: int

    def __str__(self) -> str:
        return f"{self.kind}{self.i}" if len(self.kind) == 1 else f"{self.kind} {self.i}"


def _check(m: int, n: int) -> None:
    if m < 1 or n < 1:
        raise ValueError(f"there are {m} micro-batches and {n} stages; a pipeline has 1 or more of each.")


def clock_cycles(m: int, n: int) -> list[list[tuple[int, int]]]:
    """m + n - 1 ticks; tick k holds all (i, j) with i + j = k. Tasks of one tick don't depend on each other."""
    _check(m, n)
    return [[(k - j, j) for j in range(max(0, k - m + 1), min(k + 1, n))] for k in range(m + n - 1)]


def orders(schedule: str, m: int, n: int) -> list[list[Step]]:
    """For each stage its steps in order. "gpipe": all forward, then all backward from the last micro-batch to the
    first. "1f1b": as many forward steps as it takes for the first gradient to come back, then one of each in turn."""
    _check(m, n)
    if schedule not in SCHEDULES:
        raise ValueError(f"there is no schedule {schedule!r}; known: {', '.join(SCHEDULES)}.")
    if schedule == "gpipe":
        return [[Step("F", i) for i in range(m)] + [Step("B", i) for i in reversed(range(m))] for _ in range(n)]
    return [_one_forward_one_backward(m, min(m, n - j)) for j in range(n)]


def _one_forward_one_backward(m: int, ahead: int) -> list[Step]:
    steps = [Step("F", i) for i in range(ahead)]
    for i in range(m):
        steps.append(Step("B", i))
        if ahead + i < m:
            steps.append(Step("F", ahead + i))
    return steps


def in_flight(steps: Sequence[Step]) -> int:
    """The most micro-batches that a stage keeps at once: forward done, backward not yet."""
    now = most = 0
    for step in steps:
        now += {"F": 1, "B": -1}.get(step.kind, 0)
        most = max(most, now)
    return most


def with_transfers(compute: Sequence[Sequence[Step]]) -> list[list[Step]]:
    """Each computation with its receive right before it and its send right after it."""
    last = len(compute) - 1
    return [
        [
            moved
            for kind, i in steps
            for moved in (
                *([Step(f"recv {kind}", i)] if j != (0 if kind == "F" else last) else []),
                Step(kind, i),
                *([Step(f"send {kind}", i)] if j != (last if kind == "F" else 0) else []),
            )
        ]
        for j, steps in enumerate(compute)
    ]


def rehearse(steps: Sequence[Sequence[Step]], buffered: bool = True) -> int:
    """Play the stages' lists side by side; returns the number of rounds. Raises Deadlock, naming who is stuck where.

    A receive takes its micro-batch when that has been sent. ``buffered``: a send is done at once; otherwise sender and
    receiver must meet, each with this transfer at the head of its list. Messages between two stages keep their order,
    so taking micro-batch 1 while micro-batch 0 is first in line is a deadlock too.
    """
    at, sent, rounds = [0] * len(steps), dict[tuple[str, int, int], list[int]](), 0
    while any(at[j] < len(steps[j]) for j in range(len(steps))):
        rounds += 1
        if not _round(steps, at, sent, buffered):
            raise Deadlock(_stuck(steps, at, sent))
    return rounds


def _round(
    steps: Sequence[Sequence[Step]], at: list[int], sent: dict[tuple[str, int, int], list[int]], buffered: bool
) -> bool:
    """Each stage does one step if it can. Returns whether any could."""
    heads = [lane[at[j]] if at[j] < len(lane) else None for j, lane in enumerate(steps)]
    moved = []
    for j, head in enumerate(heads):
        verb, kind = _parts(head)
        other = _partner(j, verb, kind)
        if head is None:
            continue
        if verb == "recv" and buffered:
            line = sent.get((kind, other, j), [])
            if not line or line[0] != head.i:
                continue
            line.pop(0)
        elif verb and not buffered:
            wanted = Step(f"{'recv' if verb == 'send' else 'send'} {kind}", head.i)
            if not 0 <= other < len(heads) or heads[other] != wanted:
                continue
        moved.append(j)
        if verb == "send" and buffered:
            sent.setdefault((kind, j, other), []).append(head.i)
    for j in moved:
        at[j] += 1
    return bool(moved)


def _parts(step: Step | None) -> tuple[str, str]:
    verb, _, kind = (step.kind if step else "").rpartition(" ")
    return verb, kind


def _partner(j: int, verb: str, kind: str) -> int:
    towards_the_end = (verb == "send") == (kind == "F")
    return j + 1 if towards_the_end else j - 1


def _stuck(steps: Sequence[Sequence[Step]], at: list[int], sent: dict[tuple[str, int, int], list[int]]) -> str:
    lines = ["no stage can go on:"]
    for j, lane in enumerate(steps):
        if at[j] >= len(lane):
            lines.append(f"  stage {j} has finished.")
            continue
        step = lane[at[j]]
        verb, kind = _parts(step)
        other = _partner(j, verb, kind)
        what = "the gradient" if kind == "B" else "the result"
        way = "send {} of micro-batch {} to" if verb == "send" else "receive {} of micro-batch {} from"
        line = f"  stage {j}, step {at[j]}, wants to {way.format(what, step.i)} stage {other}"
        waiting = sent.get((kind, other, j))
        lines.append(line + (f", but micro-batch {waiting[0]} is first in line." if waiting else "."))
    return "\n".join([*lines, "Both ends of every pair must send and receive in the same order."])


def check_complete(compute: Sequence[Sequence[Step]], m: int) -> None:
    """Every stage computes each micro-batch once forward and once backward, forward first."""
    for j, steps in enumerate(compute):
        counts = Counter(step for step in steps if step.kind in "FB")
        for i in range(m):
            forward, backward = Step("F", i), Step("B", i)
            if counts[forward] != 1 or counts[backward] != 1:
                raise ValueError(f"stage {j} has {counts[forward]} F and {counts[backward]} B of micro-batch {i}.")
            if list(steps).index(forward) > list(steps).index(backward):
                raise ValueError(f"stage {j} has the backward step of micro-batch {i} before its forward step.")
