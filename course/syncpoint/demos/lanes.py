"""Who was busy when: a trace as lanes of segments.

A lane is one contender of a race. Its rows run in parallel: the host, the device, and, where copies overlap kernels
or several streams were used, one row for each of those. A segment is a stretch of one kind of work in a row.

What it does not show: the host's own time between two calls (dispatch and launches): that stays empty. A row of
many short segments is drawn in slices of time; a slice that was busy for half its length is drawn half as strong.

>>> row = Row("host", [Segment("host", 0.0, 32.0), Segment("host", 32.0, 64.0)])
>>> Lane("CPU", 64.0, [row]).spent("host")
64.0
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from syncpoint.demos.page import number

if TYPE_CHECKING:
    from syncpoint.trace import Trace

#: What a segment may be: an operator on the CPU, a kernel, a copy by direction, or the host standing still.
KINDS = ("host", "kernel", "H2D", "D2H", "P2P", "wait")
COPIES = ("H2D", "D2H", "P2P")
#: More segments than this in one row can't be told apart: the row is drawn in as many slices of time.
SLICES = 160


@dataclass(slots=True, frozen=True)
class Segment:
    """A stretch of time in a row, from ``start`` to ``end`` since the race began."""

    kind: str  # one of KINDS
    start: float
    end: float
    busy: float = 1.0  # the part of a slice that was busy


@dataclass(slots=True)
class Row:
    """One thing that does one thing at a time."""

    name: str  # "host", "device", "copies", "stream 3"
    segments: list[Segment] = field(default_factory=list)


@dataclass(slots=True)
class Lane:
    """One contender: its name, when it had finished, and its rows."""

    name: str
    end: float
    rows: list[Row]

    def scaled(self, factor: float) -> Lane:
        """The same lane in another unit of time."""
        rows = [
            Row(row.name, [replace(s, start=s.start * factor, end=s.end * factor) for s in row.segments])
            for row in self.rows
        ]
        return Lane(self.name, self.end * factor, rows)

    def spent(self, *kinds: str) -> float:
        """Time spent in segments of these kinds, all rows together."""
        return sum(s.end - s.start for row in self.rows for s in row.segments if s.kind in kinds)

    def count(self, *kinds: str) -> int:
        """How many segments of these kinds there are."""
        return sum(s.kind in kinds for row in self.rows for s in row.segments)

    def data(self) -> dict[str, Any]:
        """For the script: [kind, start, end, label, busy] for each segment."""
        rows = [
            {
                "name": row.name,
                "segments": [
                    [s.kind, round(s.start, 3), round(s.end, 3), label(s), round(s.busy, 2)]
                    for s in drawn(row, self.end)
                ],
            }
            for row in self.rows
        ]
        return {"name": self.name, "side": self.name.lower(), "end": round(self.end, 3), "rows": rows}


def label(segment: Segment) -> str:
    """What stands in a segment where there is room for it: "copy 40", "32"; nothing in a slice."""
    if segment.busy < 1:
        return ""
    length = number(round(segment.end - segment.start, 1))
    name = "copy" if segment.kind in COPIES else segment.kind
    return length if segment.kind in ("host", "kernel") else f"{name} {length}"


def winner(cpu: float, gpu: float) -> str:
    """ "CPU", "GPU" or, for a tie, "both"."""
    return "both" if cpu == gpu else "CPU" if cpu < gpu else "GPU"


def lane(name: str, trace: Trace) -> Lane:
    """The lane of what happened in a finished trace."""
    began = trace.start_us
    host = [Segment("host", o.at_us - began, o.end_us - began) for o in trace.host_ops]
    host += [Segment("wait", w.at_us - began, w.at_us - began + w.waited_us) for w in trace.waits]
    rows = [Row("host", host), *_device_rows(trace, began)]
    for row in rows:
        row.segments.sort(key=lambda s: s.start)
    return Lane(name, trace.elapsed_us, [row for row in rows if row.segments])


def _device_rows(trace: Trace, began: float) -> list[Row]:
    """One row for the device; a row for each stream and one for the copies when they overlap."""
    streams: dict[int, list[Segment]] = {}
    for r in trace.launches:
        streams.setdefault(r.stream, []).append(Segment("kernel", r.start_us - began, r.end_us - began))
    copies = [Segment(c.kind, c.start_us - began, c.end_us - began) for c in trace.copies]
    together = sorted([s for each in streams.values() for s in each] + copies, key=lambda s: s.start)
    if all(a.end <= b.start + 1e-9 for a, b in zip(together, together[1:], strict=False)):
        return [Row("device", together)]
    rows = [Row(f"stream {n}", found) for n, found in sorted(streams.items())]
    return [*rows, Row("copies", copies)]


def drawn(row: Row, whole: float) -> list[Segment]:
    """The segments of a row as they are drawn: themselves, or slices when there are too many."""
    if len(row.segments) <= SLICES:
        return row.segments
    width = whole / SLICES
    slices: list[dict[str, float]] = [{} for _ in range(SLICES)]
    for s in row.segments:
        for i in range(min(int(s.start / width), SLICES - 1), min(int(s.end / width), SLICES - 1) + 1):
            inside = min(s.end, (i + 1) * width) - max(s.start, i * width)
            slices[i][s.kind] = slices[i].get(s.kind, 0.0) + max(inside, 0.0)
    found: list[Segment] = []
    for i, spent in enumerate(slices):
        kind = max(spent, key=lambda k: spent[k], default="host")
        busy = min(round(spent.get(kind, 0.0) / width, 1), 0.99)  # under 1: a slice carries no label
        last = found[-1] if found else None
        if last and (last.kind, last.busy) == (kind, busy) and last.end >= i * width * 0.999:
            found[-1] = replace(last, end=(i + 1) * width)
        elif busy > 0:
            found.append(Segment(kind, i * width, (i + 1) * width, busy))
    return found
