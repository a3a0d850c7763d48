"""Small pictures for the pages, as SVG that stands in the page itself: offline, printable, told in words too."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

_WIDTH, _LEFT, _ROW, _BAR = 720, 150, 26, 16
_COLOURS = {"host waits": "#e69f00", "copies": "#009e73", "stream": "#0072b2"}  # safe for colour-blind eyes


def timeline(trace: dict[str, Any]) -> str:
    """The bars of a trace over virtual time, one lane each for the host's waits, streams and copies."""
    bars = [(str(lane), str(name), float(a), float(b)) for lane, name, a, b in trace["bars"]]
    if not bars:
        return ""
    lanes = sorted({bar[0] for bar in bars}, key=lambda lane: (lane != "host waits", lane))
    end = max(bar[3] for bar in bars) or 1.0
    scale = (_WIDTH - _LEFT - 10) / end
    height = _ROW * len(lanes) + 24
    waits = sum(bar[0] == "host waits" for bar in bars)
    told = f"{end:,.0f} virtual microseconds; lanes: {', '.join(lanes)}; the host waited {waits} times"
    parts = [f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(told)}" class="timeline">']
    for row, lane in enumerate(lanes):
        y = row * _ROW + 4
        parts.append(f'<text x="0" y="{y + 13}">{escape(lane)}</text>')
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - 10}" y1="{y + _BAR}" y2="{y + _BAR}" class="axis"/>')
        for name, start, stop in ((n, a, b) for of, n, a, b in bars if of == lane):
            x, width = _LEFT + start * scale, max(1.0, (stop - start) * scale)
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}" fill="{_colour(lane)}">'
                f"<title>{escape(name)}: {start:,.1f} to {stop:,.1f} us</title></rect>"
            )
    y = _ROW * len(lanes) + 16
    parts.append(f'<text x="{_LEFT}" y="{y}">0</text>')
    parts.append(f'<text x="{_WIDTH - 10}" y="{y}" text-anchor="end">{end:,.0f} us (virtual)</text></svg>')
    return "".join(parts)


def _colour(lane: str) -> str:
    return next(colour for word, colour in _COLOURS.items() if word in lane)


def histogram(points: Sequence[float], max_points: float, bins: int = 10) -> list[tuple[str, int]]:
    """How many students have how many points: (range, students), ten ranges from 0 to the maximum."""
    width = max_points / bins or 1.0
    counts = [0] * bins
    for value in points:
        counts[min(bins - 1, max(0, int(value / width)))] += 1
    edges = [f"{n * width:.3g} to {(n + 1) * width:.3g}" for n in range(bins)]
    return list(zip(edges, counts, strict=True))
