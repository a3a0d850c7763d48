"""How many layers does a loop need? Tolerance and number of layers against error, waits, time and memory.

A loop that the host tests waits for every test. A loop of a fixed number of layers waits for nothing, but somebody has
to choose the number: too few give a wrong result, too many cost launches and, in training, memory. Move the two
sliders and look. Without a kernel or a script a picture and words remain. ``.value`` (layers), ``.tolerance`` and
``.text`` work it from code.

What it does not do: another loop than the gain solver of ``syncpoint.loops``. ``depth_runs.py`` runs it.

>>> d = depth()
>>> d.value = 8
>>> d.text
'Tolerance 0.001: the loop needs 10 steps. 8 layers are 2 too few: converged is False, and the error is 0.00391. ...'
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from syncpoint.demos.depth_runs import ANTENNAS, CHIP, SAMPLES, TOLERANCES, Cost, Runs, measure
from syncpoint.demos.page import demo, number
from syncpoint.words import bytes_text, many, time_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "How many layers does a loop need?"
#: The chart's lower edge: errors reach from 1 down to this.
LEAST = 1e-7


class Depth:
    """The demo. ``value`` is the number of layers and ``tolerance`` the largest step that counts as small."""

    def __init__(self, q: float = 0.5, every: int = 4) -> None:
        if not 0.1 <= q <= 0.9:
            raise ValueError(f"depth(): q is {q!r}; choose the part of the error that each step leaves, 0.1 to 0.9.")
        if not isinstance(every, int) or every < 1:
            raise ValueError(f"depth(): every is {every!r}; test every 1 step or more, a whole number.")
        self.q, self.every = q, every
        self._tolerance, self._value = 1e-3, max(1, self.runs.steps[1e-3] - 2)

    @property
    def runs(self) -> Runs:
        """What was measured."""
        return measure(self.q, self.every)

    @property
    def most_layers(self) -> int:
        return len(self.runs.layers) - 1

    @property
    def value(self) -> int:
        return self._value

    @value.setter
    def value(self, layers: int) -> None:
        if not isinstance(layers, int) or isinstance(layers, bool) or not 1 <= layers <= self.most_layers:
            raise ValueError(f"depth().value: {layers!r}; choose a number of layers from 1 to {self.most_layers}.")
        self._value = layers

    @property
    def tolerance(self) -> float:
        return self._tolerance

    @tolerance.setter
    def tolerance(self, tolerance: float) -> None:
        if tolerance not in TOLERANCES:
            known = ", ".join(map(_plain, TOLERANCES))
            raise ValueError(f"depth().tolerance: {tolerance!r}; choose one of {known}.")
        self._tolerance = tolerance

    @property
    def steps(self) -> int:
        """How many steps the loop needs for this tolerance."""
        return self.runs.steps[self.tolerance]

    @property
    def error(self) -> float:
        """How far the gain is from the right one after ``value`` layers."""
        return self._error(self.tolerance, self.value)

    @property
    def converged(self) -> bool:
        """What the layers' own ``converged`` says."""
        return self.runs.converged[self.tolerance][self.value]

    @property
    def waits(self) -> dict[str, int]:
        """How often the host waits, for each way to run the loop."""
        names = [*self._host_names(), "layers"]
        costs = [*self.runs.host_loops[self.tolerance], self.runs.layers[self.value]]
        return {name: cost.waits for name, cost in zip(names, costs, strict=True)}

    @property
    def saved_bytes(self) -> int:
        """What the layers keep for training."""
        return self.runs.saved_bytes[self.value]

    @property
    def text(self) -> str:
        """The result for ``tolerance`` and ``value``, in words."""
        return self._sentence(self.tolerance, self.value)

    def table(self) -> list[tuple[float, int, int, int]]:
        """(tolerance, steps, waits with a test for each step, waits with a test every few steps)."""
        steps, loops = self.runs.steps, self.runs.host_loops
        return [(t, steps[t], loops[t][0].waits, loops[t][1].waits) for t in TOLERANCES]

    # Words ---------------------------------------------------------------------------------------------------------

    def _host_names(self) -> tuple[str, str]:
        every = "a test after each step" if self.every == 1 else f"a test every {self.every} steps"
        return "Python while", every

    def _error(self, tolerance: float, steps: int) -> float:
        """A loop that has stopped changes nothing any more."""
        return self.runs.errors[min(steps, self.runs.steps[tolerance])]

    def _intro(self) -> str:
        return (
            f"A loop finds a gain by small steps. Each step leaves {number(self.q)} of the error. The loop should end "
            "after the first step that is smaller than the tolerance. Either the host tests for that, and waits for "
            "each answer. Or the loop is a fixed number of layers, and nobody waits."
        )

    def _sentence(self, tolerance: float, layers: int) -> str:
        runs, needed = self.runs, self.runs.steps[tolerance]
        error = f"the error is {_plain(self._error(tolerance, layers))}"
        are = f"{many(layers, 'layer')} {'is' if layers == 1 else 'are'}"
        if not runs.converged[tolerance][layers]:
            verdict = f"{are} {needed - layers} too few: converged is False, and {error}."
        else:
            verdict = f"{are} {'exactly ' if layers == needed else ''}enough: converged is True, and {error}."
        if layers > needed:
            more_us = runs.layers[layers].elapsed_us - runs.layers[needed].elapsed_us
            more = bytes_text(runs.saved_bytes[layers] - runs.saved_bytes[needed])
            last = "The last one changes" if layers == needed + 1 else f"The last {layers - needed} change"
            cost = f"{time_text(more_us)} and, in training, {more} of memory"
            verdict += f" {last} nothing and {'costs' if layers == needed + 1 else 'cost'} {cost}."
        waits = ", ".join(
            f"{name} {cost.waits}"
            for name, cost in zip(self._host_names(), runs.host_loops[tolerance], strict=True)
        )
        start = f"Tolerance {_plain(tolerance)}: the loop needs {many(needed, 'step')}."
        return f"{start} {verdict} Waits: {waits}, layers {runs.layers[layers].waits}."

    # The page ------------------------------------------------------------------------------------------------------

    def _row(self, tolerance: float, cost: Cost) -> list[str]:
        """Error, waits, time and memory of one run, as a table shows them."""
        error, saved = self._error(tolerance, cost.steps), self.runs.saved_bytes[cost.steps]
        return [_plain(error), number(cost.waits), time_text(cost.elapsed_us), bytes_text(saved)]

    def _data(self) -> dict[str, Any]:
        """What depth.js wants to know; heights are parts of the chart's height."""
        runs = self.runs
        chosen = [
            {
                "name": _plain(tol), "height": _height(tol), "steps": runs.steps[tol],
                "loops": [[name, *self._row(tol, cost)]
                          for name, cost in zip(self._host_names(), runs.host_loops[tol], strict=True)],
                "layers": [self._row(tol, cost) for cost in runs.layers],
                "said": [self._sentence(tol, n) if n else "" for n in range(self.most_layers + 1)],
            }
            for tol in TOLERANCES
        ]  # fmt: skip
        return {
            "title": TITLE, "intro": self._intro(), "most": self.most_layers, "value": self.value,
            "tolerance": TOLERANCES.index(self.tolerance), "tolerances": chosen,
            "errors": [_height(e) for e in runs.errors], "sizes": [_height(s) for s in runs.sizes],
            "grid": [[_plain(10.0**-p), _height(10.0**-p)] for p in range(0, 7, 2)],
            "head": ["", "error", "waits", "done after", "kept for training"], "note": _note(),
        }  # fmt: skip

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        shown = sorted({max(1, self.steps - 1), self.steps, min(self.steps + 4, self.most_layers)})
        words = [f"{TITLE} {self._intro()}", *(self._sentence(self.tolerance, n) for n in shown), _note()]
        alt = f"The error after each layer, on a logarithmic scale, and the tolerance {_plain(self.tolerance)}."
        page = demo("depth", self._data(), alt, self._picture(), words)
        return {"text/plain": repr(self), "text/html": page}

    def _picture(self) -> Figure:
        """The errors as bars, for the present tolerance. Leaves no pyplot figure open."""
        from matplotlib.figure import Figure

        runs, needed = self.runs, self.steps
        figure = Figure(figsize=(7, 3), layout="constrained")
        axes = figure.subplots()
        layers = range(1, self.most_layers + 1)
        errors = [self._error(self.tolerance, n) for n in layers]
        works, idle = "#0072b2", "#bbbbbb"
        axes.bar(layers, errors, color=[works if n <= needed else idle for n in layers], width=0.8)
        axes.hlines(runs.sizes[1 : needed + 1], [n - 0.4 for n in layers[:needed]], [n + 0.4 for n in layers[:needed]],
                    color="#e69f00", linewidth=2.5, label="size of the step")  # fmt: skip
        axes.axhline(self.tolerance, color="#d55e00", linestyle="--", label=f"tolerance {_plain(self.tolerance)}")
        axes.bar([needed], [errors[needed - 1]], color=works, label="error after this layer")
        axes.bar([needed + 1], [errors[needed]], color=idle, label="a layer that changes nothing")
        axes.set(yscale="log", ylim=(LEAST, 1.5), xlabel="layers", ylabel="error", xlim=(0.4, self.most_layers + 0.6))
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(loc="outside upper center", ncols=4, frameon=False, fontsize=8)
        return figure

    def __repr__(self) -> str:
        often, seldom = self._host_names()
        head = f"tolerance   steps   waits: {often}   {seldom}   layers"
        rows = [
            f"{_plain(tol):>9}   {steps:>5}   {w:>{len(often) + 7}}   {e:>{len(seldom)}}   {0:>6}"
            for tol, steps, w, e in self.table()
        ]
        return "\n".join([f"{TITLE} {self._intro()}", head, *rows, self.text])


def depth(q: float = 0.5, every: int = 4) -> Depth:
    """Tolerance and number of layers against error, waits, time and memory.

    Args:
        q: the part of the error that each step leaves, from 0.1 to 0.9.
        every: how many steps lie between two tests of the loop that tests seldom.
    """
    return Depth(q, every)


def _plain(value: float) -> str:
    """Three digits and no exponent: 0.00391, 0.000001."""
    return f"{float(f'{value:.3g}'):.10f}".rstrip("0").rstrip(".")


def _height(value: float) -> float:
    """Where a value stands on the logarithmic scale from LEAST (0) to 1 (1)."""
    return round(min(1.0, max(0.0, 1 - math.log10(value) / math.log10(LEAST))), 4) if value > 0 else 0.0


def _note() -> str:
    return (
        f"Measured on {SAMPLES} samples of {ANTENNAS} antennas. Times are virtual, of a simulated {CHIP}. Kept for "
        "training: what the backward pass needs of these steps."
    )
