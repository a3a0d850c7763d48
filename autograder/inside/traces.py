"""What the traces of a cell saw, for the class report and a student's timeline: counts, waits, and bars over time.

`Traces` listens to every `sp.trace()` block that ends, where the lab uses syncpoint. What it keeps goes to reports
only; points come from the checks.
"""

from __future__ import annotations

import sys
from typing import Any

_MOST_TRACES, _MOST_WAITS, _MOST_BARS = 5, 20, 300  # a cell; a trace


class Traces:
    """The traces that ended since the last `take`."""

    def __init__(self) -> None:
        self._ended: list[Any] = []
        module = sys.modules.get("syncpoint.trace")
        if module is not None:
            self._listen(module.Trace)

    def _listen(self, kind: Any) -> None:
        leave, ended = kind.__exit__, self._ended

        def __exit__(self: Any, *error: Any) -> Any:
            result = leave(self, *error)
            ended.append(self)
            return result

        kind.__exit__ = __exit__

    def disturbed(self) -> list[str]:
        """Why some of them do not hold all that happened, in words."""
        return [f"hides work from a trace: {why}" for trace in self._ended if (why := trace.disturbed)]

    def take(self, cells: dict[str, int]) -> list[dict[str, Any]]:
        """The last few as plain data. Places are (number of the cell, line) in learners' cells."""
        last = self._ended[-_MOST_TRACES:]
        self._ended.clear()
        return [_told(trace, cells) for trace in last if not trace.disturbed]


def _told(trace: Any, cells: dict[str, int]) -> dict[str, Any]:
    waits = [
        {"kind": w.kind, "op": w.op, "cell": cells.get(w.file, 0), "line": w.line, "us": round(w.waited_us, 1)}
        for w in trace.waits[:_MOST_WAITS]
    ]
    return {
        "device": str(trace.device),
        "counts": dict(trace.counts),
        "host_us": round(trace.host_us, 1),
        "elapsed_us": round(trace.elapsed_us, 1),
        "waits": waits,
        "bars": _bars(trace),
    }


def _bars(trace: Any) -> list[tuple[str, str, float, float]]:
    """(lane, name, start, end) in virtual microseconds since the trace began."""
    zero = trace.start_us
    bars = [("host waits", w.op, w.at_us, w.at_us + w.waited_us) for w in trace.waits[:_MOST_BARS]]
    bars += [(f"{r.device} stream {r.stream}", r.op, r.start_us, r.end_us) for r in trace.launches[:_MOST_BARS]]
    bars += [(f"{c.device} copies", c.kind, c.start_us, c.end_us) for c in trace.copies[:_MOST_BARS]]
    return [(lane, name, round(a - zero, 1), round(b - zero, 1)) for lane, name, a, b in bars[:_MOST_BARS]]
