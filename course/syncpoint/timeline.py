"""A trace drawn: the host above, each device's streams and copy engines below, one time axis for all.

A hatched bar on the host's lane is a wait. A tick on it is a launch, and, while they are few, a thin line leads from
the launch to its kernel. A trace with more than ``max_events`` records is drawn as columns whose height is the share
of that time in use, and a note below the picture says so: no record is left out and none is made up.
What it does not draw: what Python did between two calls (that is the pale part of the host's lane), and memory.

>>> timeline(trace).savefig("step.png")                     # doctest: +SKIP
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from syncpoint.chrome import save
from syncpoint.words import bytes_text, many, op_name, op_word, time_text, times

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from syncpoint.trace import Trace

__all__ = ["save", "timeline"]

# Okabe and Ito's palette: told apart by colour-blind eyes. Waits are hatched as well.
_COLOURS = {
    "host": "#DDDDDD", "host op": "#8C8C8C", "kernel": "#0072B2", "H2D": "#009E73", "D2H": "#E69F00",
    "P2P": "#CC79A7", "wait": "#D55E00",
}  # fmt: skip
_LEGEND = {
    "host": "host: Python and launching", "host op": "operator on the CPU", "wait": "host waits", "kernel": "kernel",
    "H2D": "copy host to device", "D2H": "copy device to host", "P2P": "copy device to device",
}  # fmt: skip
_MOST_LINKS = 60
_COLUMNS = 400
_WIDTH_IN = 11.0
_FONT_PT = 7.5


@dataclass(slots=True)
class Bar:
    """One stretch of time on a lane, in us since the trace began."""

    start: float
    end: float
    kind: str  # a key of _COLOURS
    label: str


@dataclass(slots=True)
class Lane:
    """One row of the picture."""

    name: str
    bars: list[Bar] = field(default_factory=list)


def timeline(trace: Trace, max_events: int = 2_000) -> Figure:
    """Draw a trace. The figure shows itself as the last expression of a notebook cell; ``savefig`` writes it."""
    host, lanes = _host_lane(trace), _device_lanes(trace)
    events = len(host.bars) + sum(len(lane.bars) for lane in lanes) + len(trace.launches)
    span = max([1e-9, trace.host_us, trace.elapsed_us, *(bar.end for lane in [host, *lanes] for bar in lane.bars)])
    figure = _figure_class()(
        figsize=(_WIDTH_IN, 1.9 + 0.62 * (1 + len(lanes))), layout="constrained", facecolor="white"
    )
    axes = figure.add_subplot()
    axes.broken_barh([(0, max(trace.host_us, 0))], (-0.36, 0.72), color=_COLOURS["host"])
    notes = [_note(trace)]
    if events > max_events:
        _draw_columns(axes, [host, *lanes], span)
        width = time_text(span / _COLUMNS)
        notes.append(f"{many(events, 'event')}: each column covers {width}, its height is the share of it in use.")
    else:
        _draw_bars(axes, [host, *lanes], span)
        _draw_launches(axes, trace, lanes)
    _axes(axes, trace, [host, *lanes], span, "  ".join(notes))
    _legend(figure, [host, *lanes], ticks=0 < len(trace.launches) + len(trace.copies) and events <= max_events)
    return figure


@cache
def _figure_class() -> type[Figure]:
    """Made at the first drawing, because importing syncpoint must not import matplotlib."""
    from matplotlib.figure import Figure

    class Timeline(Figure):
        """Shows itself in any notebook. A plain Figure does so only after pyplot has been imported there."""

        def _repr_png_(self) -> bytes:
            buffer = io.BytesIO()
            self.savefig(buffer, format="png", dpi=110)
            return buffer.getvalue()

        def __repr__(self) -> str:
            return f"<Timeline: {self.axes[0].get_title(loc='left')}>" if self.axes else "<Timeline>"

    return Timeline


def _host_lane(trace: Trace) -> Lane:
    zero = trace.start_us
    bars = [Bar(op.at_us - zero, op.end_us - zero, "host op", op_name(op.op)) for op in trace.host_ops]
    for wait in trace.waits:
        start = wait.at_us - zero
        bars.append(Bar(start, start + wait.waited_us, "wait", op_word(wait.op, wait.source, wait.kind)))
    return Lane("host", bars)


def _device_lanes(trace: Trace) -> list[Lane]:
    """For each device its streams, then its copy engines. A lane appears when something ran on it."""
    zero, lanes = trace.start_us, dict[tuple[str, int, str], Lane]()

    def add(key: tuple[str, int, str], name: str, bar: Bar) -> None:
        lanes.setdefault(key, Lane(f"{key[0]}\n{name}")).bars.append(bar)

    for launch in trace.launches:
        name = "default stream" if launch.stream == 0 else f"stream {launch.stream}"
        bar = Bar(launch.start_us - zero, launch.end_us - zero, "kernel", op_name(launch.op))
        add((launch.device, 0, f"{launch.stream:06}"), name, bar)
    for copy in trace.copies:
        bar = Bar(copy.start_us - zero, copy.end_us - zero, copy.kind, bytes_text(copy.bytes))
        add((copy.device, 1, {"H2D": "0", "D2H": "1"}.get(copy.kind, "2")), f"copy {copy.kind}", bar)
    return [lanes[key] for key in sorted(lanes)]


def _by_kind(bars: Iterable[Bar]) -> dict[str, list[Bar]]:
    kinds: dict[str, list[Bar]] = {}
    for bar in bars:
        kinds.setdefault(bar.kind, []).append(bar)
    return kinds


def _style(kind: str) -> dict[str, Any]:
    if kind == "wait":
        return {"facecolor": "white", "edgecolor": _COLOURS["wait"], "hatch": "/////", "linewidth": 0.8}
    return {"facecolor": _COLOURS[kind], "edgecolor": "white", "linewidth": 0.4}


def _draw_bars(axes: Axes, lanes: list[Lane], span: float) -> None:
    char_us = span * 0.62 * _FONT_PT / (_WIDTH_IN * 72 * 0.8)  # how much time one letter of a label covers
    for row, lane in enumerate(lanes):
        for kind, bars in _by_kind(lane.bars).items():
            axes.broken_barh([(bar.start, bar.end - bar.start) for bar in bars], (row - 0.36, 0.72), **_style(kind))
            for bar in bars:
                _label(axes, bar, row, char_us)


def _label(axes: Axes, bar: Bar, row: int, char_us: float) -> None:
    if bar.end - bar.start < (len(bar.label) + 1) * char_us:
        return
    back = {"facecolor": "white", "edgecolor": "none", "pad": 1.5} if bar.kind == "wait" else None
    colour = "black" if bar.kind in ("wait", "D2H", "P2P") else "white"
    axes.text(
        (bar.start + bar.end) / 2, row, bar.label, ha="center", va="center", fontsize=_FONT_PT, color=colour, bbox=back,
        clip_on=True,
    )  # fmt: skip


def _draw_launches(axes: Axes, trace: Trace, lanes: list[Lane]) -> None:
    """Ticks on the host's lane where a launch or copy was called; links to where it ran, while they are few."""
    zero, rows = trace.start_us, {lane.name: row for row, lane in enumerate(lanes, start=1)}
    calls = [launch.at_us - zero for launch in trace.launches] + [copy.at_us - zero for copy in trace.copies]
    axes.vlines(calls, 0.16, 0.36, color="black", linewidth=0.8)
    if not 0 < len(calls) <= _MOST_LINKS:
        return
    for launch in trace.launches:
        name = f"{launch.device}\n" + ("default stream" if launch.stream == 0 else f"stream {launch.stream}")
        _link(axes, launch.at_us - zero, launch.start_us - zero, rows[name])
    for copy in trace.copies:
        _link(axes, copy.at_us - zero, copy.start_us - zero, rows[f"{copy.device}\ncopy {copy.kind}"])


def _link(axes: Axes, called: float, started: float, row: int) -> None:
    axes.plot([called, started], [0.36, row - 0.36], color="#555555", linewidth=0.6, alpha=0.7, zorder=0.5)


def _draw_columns(axes: Axes, lanes: list[Lane], span: float) -> None:
    width = span / _COLUMNS
    edges = [column * width for column in range(_COLUMNS + 1)]
    for row, lane in enumerate(lanes):
        for kind, bars in _by_kind(lane.bars).items():
            tops = [row + 0.36 - 0.72 * share for share in _shares(bars, width)]
            axes.fill_between(edges, [*tops, tops[-1]], row + 0.36, step="post", **(_style(kind) | {"linewidth": 0}))


def _shares(bars: Iterable[Bar], width: float) -> list[float]:
    """For each column the share of its time that the bars cover, 0 to 1."""
    shares = [0.0] * _COLUMNS
    for bar in bars:
        first, last = int(bar.start / width), int(bar.end / width)
        for column in range(max(first, 0), min(last, _COLUMNS - 1) + 1):
            overlap = min(bar.end, (column + 1) * width) - max(bar.start, column * width)
            shares[column] += max(overlap, 0.0) / width
    return [min(share, 1.0) for share in shares]


def _note(trace: Trace) -> str:
    kernels, copies = sum(launch.kernels for launch in trace.launches), many(len(trace.copies), "copy", "copies")
    return f"{many(len(trace.launches), 'operator')}, {many(kernels, 'kernel')}, {copies}."


def _title(trace: Trace) -> str:
    waited = time_text(sum(wait.waited_us for wait in trace.waits))
    host = (
        f"waited {times(len(trace.waits))}: {waited} of its {time_text(trace.host_us)}"
        if trace.waits
        else "never waited"
    )
    return f"The host {host}. The device was busy {time_text(trace.device_us)}."


def _axes(axes: Axes, trace: Trace, lanes: list[Lane], span: float, note: str) -> None:
    from matplotlib.ticker import StrMethodFormatter

    axes.set_title(_title(trace), loc="left", fontsize=11)
    axes.set_xlabel(f"virtual time since the trace began (us)\n{note}", fontsize=9)
    axes.set_yticks(range(len(lanes)), [lane.name for lane in lanes], fontsize=9)
    axes.set_ylim(len(lanes) - 0.45, -0.6)
    axes.set_xlim(-0.01 * span, 1.01 * span)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
    axes.grid(axis="x", color="#EEEEEE", zorder=0)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _legend(figure: Figure, lanes: list[Lane], ticks: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    kinds = {"host"} | {bar.kind for lane in lanes for bar in lane.bars}
    keys: list[Artist] = [Patch(label=_LEGEND[kind], **_style(kind)) for kind in _LEGEND if kind in kinds]
    if ticks:
        keys.append(Line2D([], [], color="black", marker="|", linestyle="none", label="launch or copy called"))
    figure.legend(handles=keys, loc="outside upper center", ncols=len(keys), frameon=False, fontsize=9)
