"""Lanes on a page: the data for race.js, and the still picture with its words for where no script runs.

>>> lanes = [Lane("CPU", 32.0, [Row("host", [])])]
>>> shown = data("A race", [run("1 step", lanes, "The CPU takes 32 ticks.", "ticks")], [("host", "CPU")], "ticks")
>>> figure(shown, [("", lanes)], alt="One bar.", words=["The CPU takes 32 ticks."])
'<style>...<figure class="sp-demo sp-race" data-race="...<figcaption>The CPU takes 32 ticks.</figcaption>...'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncpoint.demos.lanes import COPIES, Lane, Row, drawn
from syncpoint.demos.page import demo, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Okabe and Ito's colours, which colour-blind eyes tell apart, as in timeline.py and race.css. Copies are hatched
#: and waits are dotted besides.
COLOURS = {
    "host": "#8c8c8c", "kernel": "#0072b2", "H2D": "#009e73", "D2H": "#e69f00", "P2P": "#cc79a7", "wait": "#d55e00",
}  # fmt: skip
#: How long the animation of a race lasts, whatever its virtual time.
LASTS_MS = 2500


def run(name: str, lanes: list[Lane], text: str, unit: str) -> dict[str, Any]:
    """One position of the slider."""
    done = [{"done": f"{number(float(f'{ln.end:.4g}'))} {unit}"} for ln in lanes]
    return {"name": name, "text": text, "lanes": [ln.data() | d for ln, d in zip(lanes, done, strict=True)]}


def data(title: str, runs: list[dict[str, Any]], key: list[tuple[str, str]], unit: str) -> dict[str, Any]:
    """What race.js wants to know; ``key`` is (kind, text) for each entry of the legend."""
    span = 1.02 * max(ln["end"] for r in runs for ln in r["lanes"]) or 1.0
    return {
        "title": title, "intro": "", "unit": unit, "runs": runs, "key": key, "span": span, "grid": grid(span),
        "start": 0, "control": "", "numbers": 0, "question": None, "running": "The race is on.",
        "lasts": LASTS_MS,
    }  # fmt: skip


def grid(span: float, most: int = 6) -> list[float]:
    """Round times for the axis, at most ``most`` of them.

    >>> grid(196.0)
    [0.0, 40.0, 80.0, 120.0, 160.0]
    """
    power = 10.0**-6
    while True:
        for digit in (1, 2, 4, 5):
            step = digit * power
            if span / step < most:
                return [round(i * step, 6) for i in range(int(span / step) + 1)]
        power *= 10


def figure(data: dict[str, Any], groups: list[tuple[str, list[Lane]]], alt: str, words: list[str]) -> str:
    """The live race and, inside it, the picture and the caption that stay where no script runs."""
    return demo("race", data, alt, picture(groups, data["unit"]), words)


def picture(groups: list[tuple[str, list[Lane]]], unit: str) -> Figure:
    """The lanes of each group below one another, on one time axis. Leaves no pyplot figure open."""
    from matplotlib.figure import Figure

    rows = [(title, ln, row) for title, lanes in groups for ln in lanes for row in ln.rows]
    figure = Figure(figsize=(7, 0.9 + 0.34 * len(rows) + 0.2 * len(groups)), layout="constrained")
    axes = figure.subplots()
    axes.set_xlim(0, 1.12 * max((ln.end for _, ln, _ in rows), default=1.0))
    y, names, positions = 0.0, [], []
    for i, (title, ln, row) in enumerate(rows):
        y += 0.5 if i and title != rows[i - 1][0] else 0.0
        _draw_row(axes, y, ln, row)
        several = len(ln.rows) > 1
        names.append(", ".join(filter(None, [title, ln.name, row.name if several else ""])))
        positions.append(y)
        y += 1
    axes.set_yticks(positions, names)
    axes.invert_yaxis()
    axes.set_xlabel(unit)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.spines["bottom"].set_alpha(0.4)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    return figure


def _draw_row(axes: Axes, y: float, ln: Lane, row: Row) -> None:
    """Copies are hatched, waits dotted on white; what is too short for an outline has none."""
    span = axes.get_xlim()[1]
    for s in drawn(row, ln.end):
        colour, wait, whole = COLOURS[s.kind], s.kind == "wait", s.busy == 1
        hatch = "///" if s.kind in COPIES else "...." if wait else None
        edge = colour if wait else (0, 0, 0, 0.4)
        axes.barh(
            y, s.end - s.start, 0.72, left=s.start, color="white" if wait else colour, hatch=hatch, edgecolor=edge,
            linewidth=0.6 if whole and s.end - s.start > span / 200 else 0,
            alpha=None if whole else 0.25 + 0.75 * s.busy,
        )  # fmt: skip
    if row.segments is ln.rows[-1].segments:
        axes.text(ln.end, y, f"  {number(float(f'{ln.end:.4g}'))}", va="center", fontsize=9)
