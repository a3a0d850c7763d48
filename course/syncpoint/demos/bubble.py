"""The bubble of a pipeline: how long do the stages stand idle until micro-batches fill them?

Sliders for the number of micro-batches and stages, the time of a stage and of a copy, and for one stage that is slower
than the others; copies on streams of their own or not. Shown are the timetable, the total time with its formula, and
the part of the time in which stages stand idle. Without a kernel or a script a picture and words remain. ``.value``
(micro-batches), ``.stages``, ``.compute``, ``.copy``, ``.copy_streams``, ``.imbalance``, ``.total``, ``.bubble`` and
``.text`` work it from code.

What it does not do: run a pipeline. ``syncpoint.pipeline`` does; this one is played with a pencil (``bubble_runs.py``).

>>> b = bubble(micro_batches=8, stages=4)
>>> b.total, round(b.bubble, 3)
(36, 0.333)
>>> b.copy_streams = False
>>> b.total
52
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from syncpoint.demos.bubble_runs import Played, play
from syncpoint.demos.page import demo, number
from syncpoint.demos.stage import COLOURS
from syncpoint.words import many

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "The bubble of a pipeline"
MICRO_BATCHES = (*range(1, 17), 24, 32)
STAGES = tuple(range(1, 7))
COMPUTES = tuple(range(1, 6))
COPIES = tuple(range(7))
IMBALANCES = (1, 2, 3)
#: Sentences with places for numbers; bubble.js fills the same ones.
SAYS = {
    "head": "{m_many}, {n_many}.",
    "formula": "{n} × {c} + {links} × {p} + {others} × {slowest}",
    "formula_uneven": "({sum}) + {links} × {p} + {others} × {slowest}",
    "slowest": "max({c}, {p})",
    "total": "Total time: {formula} = {total} us.",
    "played": "Total time: {total} us, from playing the timetable: without copy streams there is no simple formula.",
    "with": "With copy streams it would be {other} us.",
    "without": "Without copy streams it would be {other} us.",
    "bubble": "The stages stand idle for {bubble}% of the time.",
    "least": "Without copies and with equal stages it would be (n - 1) / (m + n - 1) = {links} / {ticks} = {least}%.",
    "speed": "One device would take {alone} us: the pipeline is {speed} times as fast, with {n_many}.",
    "slow": "Everyone waits for the slowest: stage {place} takes {c_slow} us, the others {c}.",
    "copies": "The copies set the pace: a copy takes longer than a stage.",
}  # fmt: skip


class Bubble:
    """The demo."""

    def __init__(self, micro_batches: int = 4, stages: int = 4) -> None:
        self._compute, self._copy, self._copy_streams, self._imbalance = 3, 1, True, 1
        self.value, self.stages = micro_batches, stages

    @property
    def value(self) -> int:
        """m, the number of micro-batches."""
        return self._value

    @value.setter
    def value(self, m: int) -> None:
        self._value: int = _one_of("value", m, MICRO_BATCHES)

    @property
    def stages(self) -> int:
        """n, the number of stages, each on a device of its own."""
        return self._stages

    @stages.setter
    def stages(self, n: int) -> None:
        self._stages: int = _one_of("stages", n, STAGES)

    @property
    def compute(self) -> int:
        """c, what a stage takes for a micro-batch, in microseconds."""
        return self._compute

    @compute.setter
    def compute(self, us: int) -> None:
        self._compute = _one_of("compute", us, COMPUTES)

    @property
    def copy(self) -> int:
        """p, what a copy from a stage to the next one takes, in microseconds."""
        return self._copy

    @copy.setter
    def copy(self, us: int) -> None:
        self._copy = _one_of("copy", us, COPIES)

    @property
    def copy_streams(self) -> bool:
        """Whether copies have streams of their own."""
        return self._copy_streams

    @copy_streams.setter
    def copy_streams(self, own: bool) -> None:
        self._copy_streams = _one_of("copy_streams", own, (False, True))

    @property
    def imbalance(self) -> int:
        """How many times as long one stage takes as the others."""
        return self._imbalance

    @imbalance.setter
    def imbalance(self, factor: int) -> None:
        self._imbalance = _one_of("imbalance", factor, IMBALANCES)

    @property
    def computes(self) -> tuple[int, ...]:
        """What each stage takes. The slow one stands behind the middle."""
        slow = self.stages // 2
        return tuple(self.compute * (self.imbalance if j == slow else 1) for j in range(self.stages))

    @property
    def played(self) -> Played:
        """The whole timetable."""
        return self._played(self.copy_streams)

    def _played(self, copy_streams: bool) -> Played:
        return play(self.value, self.computes, self.copy, copy_streams)

    @property
    def total(self) -> int:
        """When the last stage is through, in microseconds."""
        return self.played.total

    @property
    def bubble(self) -> float:
        """The part of the stages' time in which they compute nothing."""
        return self.played.bubble

    @property
    def formula(self) -> str:
        """The closed form of ``total`` with the numbers filled in; empty without copy streams, where there is none."""
        return self._filled("formula" if self.imbalance == 1 else "formula_uneven") if self.copy_streams else ""

    @property
    def text(self) -> str:
        """The result in words."""
        names = ["head", "total" if self.copy_streams else "played"]
        if self.copy and self.stages > 1:
            names.append("without" if self.copy_streams else "with")
        names.append("bubble")
        if self.copy or self.imbalance > 1:
            names.append("least")
        names.append("speed")
        if self.imbalance > 1 and self.stages > 1:
            names.append("slow")
        if self.stages > 1 and self.copy > max(self.computes):
            names.append("copies")
        return " ".join(map(self._filled, names))

    # Words ---------------------------------------------------------------------------------------------------------

    def _filled(self, name: str) -> str:
        m, n, computes = self.value, self.stages, self.computes
        alone = m * sum(computes)
        values: dict[str, Any] = {
            "m_many": many(m, "micro-batch", "micro-batches"), "n_many": many(n, "stage"), "n": n, "c": self.compute,
            "p": self.copy, "links": n - 1, "others": m - 1, "total": number(self.total), "ticks": m + n - 1,
            "sum": " + ".join(map(str, computes)), "other": number(self._played(not self.copy_streams).total),
            "bubble": _rounded(100 * self.bubble, 10), "least": _rounded(100 * (n - 1) / (m + n - 1), 10),
            "alone": number(alone), "speed": _rounded(alone / self.total, 100), "place": n // 2,
            "c_slow": max(computes),
        }  # fmt: skip
        slowest = max(computes)
        values["slowest"] = SAYS["slowest"].format(c=slowest, p=self.copy) if n > 1 else str(slowest)
        if name == "total":
            values["formula"] = self.formula
        return SAYS[name].format(**values)

    def _intro(self) -> str:
        return (
            "A batch is cut into m micro-batches. They pass n stages one after the other, and each stage is a device "
            "of its own. At first and at the end some stages have nothing to do: that is the bubble. The authors of "
            "GPipe found that it hardly matters once m is at least 4 n. Try it. Times are made up."
        )

    # The page ------------------------------------------------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        """What bubble.js wants to know: it plays the timetable by itself."""
        us = [f"{time} us" for time in COPIES]
        slower = ["all alike", *(f"{factor} × as long" for factor in IMBALANCES[1:])]
        return {
            "title": TITLE, "intro": self._intro(), "says": SAYS, "micro_batches": MICRO_BATCHES,
            "key": {"kernel": "a stage works on a micro-batch", "P2P": "a micro-batch is copied to the next stage"},
            "sliders": [
                ["Micro-batches, m", list(map(str, MICRO_BATCHES)), MICRO_BATCHES.index(self.value)],
                ["Stages, n", list(map(str, STAGES)), STAGES.index(self.stages)],
                ["A stage takes, c", us[1 : len(COMPUTES) + 1], COMPUTES.index(self.compute)],
                ["A copy takes, p", us, COPIES.index(self.copy)],
                ["One stage takes", slower, IMBALANCES.index(self.imbalance)],
            ],
            "radios": ["Copies", ["on streams of their own", "in the stages' queues"], int(not self.copy_streams)],
        }  # fmt: skip

    def _still(self) -> list[Bubble]:
        """The pipelines of the still picture: this one, and one with four times as many micro-batches."""
        more = Bubble(self.value, self.stages)
        for name in ("compute", "copy", "copy_streams", "imbalance"):
            setattr(more, name, getattr(self, name))
        more.value = next((m for m in MICRO_BATCHES if m >= 4 * self.value), MICRO_BATCHES[-1])
        return [self, more]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        alt = "A timetable: which stage works on which micro-batch when, for few micro-batches and for many."
        words = [f"{TITLE}. {self._intro()}", *(shown.text for shown in self._still())]
        page = demo("bubble", self._data(), alt, self._picture(), words, tracked=True)
        return {"text/plain": repr(self), "text/html": page}

    def _picture(self) -> Figure:
        """Both timetables below one another. Leaves no pyplot figure open."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 1.4 + 0.7 * self.stages), layout="constrained")
        for axes, shown in zip(figure.subplots(2), self._still(), strict=True):
            _draw(axes, shown)
        return figure

    def __repr__(self) -> str:
        return "\n".join([f"{TITLE}. {self._intro()}", self.text])


def bubble(micro_batches: int = 4, stages: int = 4) -> Bubble:
    """The timetable of a pipeline, with sliders for all that decides how long its stages stand idle.

    Args:
        micro_batches: how many there are at first, from 1 to 16, 24 or 32.
        stages: how many there are at first, from 1 to 6.
    """
    return Bubble(micro_batches, stages)


def _one_of(name: str, given: Any, known: tuple[Any, ...]) -> Any:
    if given not in known or isinstance(given, bool) != isinstance(known[0], bool):
        raise ValueError(f"bubble().{name}: {given!r}; choose one of {', '.join(map(repr, known))}.")
    return given


def _rounded(value: float, parts: int) -> str:
    """To 10 or 100 parts of one; halves go up, as bubble.js rounds."""
    return number(math.floor(parts * value + 0.5) / parts)


def _draw(axes: Axes, shown: Bubble) -> None:
    played = shown.played
    for j, tasks in enumerate(played.tasks):
        axes.barh([j] * len(tasks), [end - start for start, end in tasks], 0.9, left=[start for start, _ in tasks],
                  color=COLOURS["kernel"], edgecolor="white", linewidth=0.5)  # fmt: skip
    axes.set(yticks=range(shown.stages), yticklabels=[f"stage {j}" for j in range(shown.stages)])
    axes.set_title(f"{many(shown.value, 'micro-batch', 'micro-batches')}: {shown.total} us, "
                   f"idle for {_rounded(100 * shown.bubble, 10)}%", fontsize=9, loc="left")  # fmt: skip
    axes.invert_yaxis()
    axes.set_xlim(0, 1.02 * shown.total)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
