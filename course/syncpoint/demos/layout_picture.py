"""The still picture of the layout demo: a list's pointers and objects, an array and a tensor, to the scale of bytes.

What it does not do: find the addresses. ``layout.py`` does.

>>> Strip("2 objects", 24, [64, 160], ["1", "2"], [True, True]).gaps()
[0, 64]
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from syncpoint.layout import POINTER_BYTES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTERS = "#cccccc"
_ARROW = {"arrowstyle": "->", "color": "#555555", "lw": 0.8, "shrinkA": 0, "shrinkB": 0}


@dataclass
class Strip:
    """Boxes side by side in the order of their addresses: a table of pointers, or a block of numbers."""

    name: str
    bytes: int  # of each box
    addresses: list[int]
    texts: list[str]  # what a box shows
    used: list[bool]  # whether the view reaches it

    def gaps(self) -> list[int]:
        """Bytes of other things before each box. (An object's own padding is no gap.)"""
        padded = -(-self.bytes // 16) * 16 if self.bytes > POINTER_BYTES else self.bytes
        steps = zip(self.addresses, self.addresses[1:], strict=False)
        return [0, *(max(0, b - a - padded) for a, b in steps)]


def picture(inner: list[Strip], objects: Strip, array: Strip, tensor: Strip) -> Figure:
    """The inner lists' pointers with arrows to the objects, and the two blocks. Leaves no pyplot figure open."""
    figure = _drawing_class()(figsize=(8, 3.9), layout="constrained")
    axes = figure.subplots()
    at, x = _boxes(axes, 2.0, objects, "#e69f00"), 0.0
    for strip in inner:
        starts = _boxes(axes, 3.3, strip, _POINTERS, x)
        for text, start in zip(strip.texts, starts, strict=True):
            target = at[objects.texts.index(text)] + objects.bytes / 2
            axes.annotate("", (target, 2.52), (start + strip.bytes / 2, 3.3), arrowprops=_ARROW)
        x = starts[-1] + strip.bytes + 6
    _boxes(axes, 1.0, array, "#56b4e9")
    _boxes(axes, 0.0, tensor, "#009e73")
    names = [
        (3.55, f"list: pointers\n{POINTER_BYTES} B each"), (2.25, f"its objects\n{objects.bytes} B each"),
        (1.25, f"ndarray, float64\n{array.bytes} B each"), (0.25, f"tensor, float32\n{tensor.bytes} B each"),
    ]  # fmt: skip
    axes.set_yticks([y for y, _ in names], [name for _, name in names])
    axes.set(ylim=(-0.3, 4.0), xticks=[], xlabel="memory, drawn to scale; small gaps stand for other things")
    axes.tick_params(axis="y", length=0)
    axes.spines[:].set_visible(False)
    return figure


def _boxes(axes: Axes, y: float, strip: Strip, colour: str, x: float = 0.0) -> list[float]:
    """Draws a strip's boxes from ``x`` on and says where each begins."""
    starts = []
    for text, gap in zip(strip.texts, strip.gaps(), strict=True):
        x += 5 if gap else 0
        axes.broken_barh([(x, strip.bytes)], (y, 0.5), facecolor=colour, edgecolor="black", linewidth=0.6)
        if strip.bytes > 4 and colour != _POINTERS:  # there is no room for it elsewhere
            axes.text(x + strip.bytes / 2, y + 0.25, text, ha="center", va="center", fontsize=7)
        starts.append(x)
        x += strip.bytes
    axes.autoscale_view()
    return starts


@cache
def _drawing_class() -> type[Figure]:
    """Made on first use, so that importing the demo does not import matplotlib."""
    from matplotlib.figure import Figure

    class Drawing(Figure):
        """Shows itself in any notebook. A plain Figure does so only after pyplot has been used there."""

        def _repr_png_(self) -> bytes:
            buffer = io.BytesIO()
            self.savefig(buffer, format="png", dpi=110, facecolor="white")
            return buffer.getvalue()

    return Drawing
