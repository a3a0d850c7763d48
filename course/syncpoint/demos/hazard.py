"""The race explorer: a program on two streams, and the learner decides where the waits stand.

Stream ``side`` copies batches to the device, stream ``main`` reads them. Every setting was run on the simulator when
the page was made: whether it is a race, between which two lines, and what was read comes from the detector
(``hazard_runs.py``). Without a kernel or a script a picture and words remain. ``.memory``, ``.before_read``,
``.before_copy``, ``.record_stream``, ``.races``, ``.values``, ``.code`` and ``.text`` work it from code.

What it does not do: other programs than this one. ``sp.trace()`` finds the races of yours: ``t.races``.

>>> h = hazard()
>>> h.safe, h.values
(False, (nan, nan, nan, nan))
>>> h.before_read, h.before_copy = "wait_stream", "wait_stream"
>>> h.safe, h.values, h.elapsed_us
(True, (1.0, 2.0, 3.0, 4.0), 400.0)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from syncpoint.demos import hazard_runs
from syncpoint.demos.hazard_runs import BEFORE_COPY, BEFORE_READ, EXPECTED, MEMORY, Choice, Outcome, Pair
from syncpoint.demos.page import demo, number, prose
from syncpoint.demos.stage import COLOURS
from syncpoint.words import many, times

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "Where do the waits belong?"
#: What the page calls each choice, in the order of the choices.
ASKED = {
    "Memory for a batch": ["one buffer", "two buffers, in turn", "a new tensor each time"],
    "Before main reads": [
        "no wait", "`main.wait_stream(side)`", "an event from after the copy", "an event from before the copy",
        "`side.synchronize()`",
    ],
    "Before side copies again": [
        "no wait", "`side.wait_stream(main)`", "an event from after the read", "`side.wait_stream(main)` one line late",
    ],
    "What the allocator is told": ["nothing", "`x.record_stream(main)`"],
}  # fmt: skip
#: What the colours mean.
KEY = {
    "H2D": "side copies a batch", "kernel": "main reads a batch: the bar shows the value",
    "wrong": "a value that a race has spoilt", "wait": "the host waits",
}  # fmt: skip


class Hazard:
    """The demo. It starts with no wait anywhere."""

    def __init__(self) -> None:
        self._choice = Choice(MEMORY[0], BEFORE_READ[0], BEFORE_COPY[0], False)

    @property
    def value(self) -> tuple[str, str, str, bool]:
        """All four choices at once: memory, before_read, before_copy, record_stream."""
        return self._choice

    @value.setter
    def value(self, chosen: tuple[str, str, str, bool]) -> None:
        if not isinstance(chosen, tuple) or len(chosen) != 4:
            raise ValueError(f"hazard().value: {chosen!r}; give (memory, before_read, before_copy, record_stream).")
        memory, before_read, before_copy, record_stream = chosen
        self._choice = Choice(
            _one_of("memory", memory, MEMORY), _one_of("before_read", before_read, BEFORE_READ),
            _one_of("before_copy", before_copy, BEFORE_COPY), _one_of("record_stream", record_stream, (False, True)),
        )  # fmt: skip

    @property
    def memory(self) -> str:
        """Where a batch goes: into "one" buffer, into "two" in turn, or into a "new" tensor each time."""
        return self._choice.memory

    @memory.setter
    def memory(self, name: str) -> None:
        self.value = self._choice._replace(memory=name)

    @property
    def before_read(self) -> str:
        """What stands before main reads: one of "nothing", "wait_stream", "event", "early event", "synchronize"."""
        return self._choice.before_read

    @before_read.setter
    def before_read(self, name: str) -> None:
        self.value = self._choice._replace(before_read=name)

    @property
    def before_copy(self) -> str:
        """What stands before side copies: one of "nothing", "wait_stream", "event", "late wait_stream"."""
        return self._choice.before_copy

    @before_copy.setter
    def before_copy(self, name: str) -> None:
        self.value = self._choice._replace(before_copy=name)

    @property
    def record_stream(self) -> bool:
        """Whether the allocator is told that main uses the memory."""
        return self._choice.record_stream

    @record_stream.setter
    def record_stream(self, told: bool) -> None:
        self.value = self._choice._replace(record_stream=told)

    @property
    def run(self) -> Outcome:
        """Everything that this program did."""
        return hazard_runs.runs()[self._choice]

    @property
    def races(self) -> tuple[Pair, ...]:
        """What the detector found: for each pair of lines the kind, both accesses, how often, and the remedy."""
        return self.run.pairs

    @property
    def safe(self) -> bool:
        return self.run.safe

    @property
    def values(self) -> tuple[float, ...]:
        """What main read; NaN where a race has spoilt it."""
        return self.run.values

    @property
    def elapsed_us(self) -> float:
        """When everything was done."""
        return self.run.elapsed_us

    @property
    def waits(self) -> int:
        """How often the host waited."""
        return len(self.run.waits)

    @property
    def code(self) -> str:
        """The program, as it was run."""
        return self.run.code

    @property
    def text(self) -> str:
        """Verdict and numbers, in words."""
        return _sentence(self.run)

    # The page ------------------------------------------------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        """What hazard.js wants to know: for each setting, in the order of ``choices``, one run."""
        span = 1.02 * max(run.elapsed_us for run in hazard_runs.runs().values())
        positions = zip((MEMORY, BEFORE_READ, BEFORE_COPY, (False, True)), self._choice, strict=True)
        return {
            "title": TITLE, "intro": _intro(), "span": span, "key": KEY,
            "controls": [[name, list(map(prose, texts))] for name, texts in ASKED.items()],
            "chosen": [known.index(one) for known, one in positions],
            "runs": [_shown(run) for run in hazard_runs.runs().values()],
        }  # fmt: skip

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        said = [f"{name}: {_sentence(hazard_runs.runs()[choice])}" for name, choice in _still().items()]
        alt = "Copies, reads and waits of the host as bars on one axis of time, for four choices of waits."
        page = demo("hazard", self._data(), alt, _picture(), [f"{TITLE} {_intro()}", *said], tracked=True)
        return {"text/plain": repr(self), "text/html": page}

    def __repr__(self) -> str:
        lines = [f"{n:>3}  {line}" for n, line in enumerate(self.code.splitlines(), 1)]
        return "\n".join([f"{TITLE} {_intro()}", *lines, self.text])


def hazard() -> Hazard:
    """A program on two streams whose waits the learner places, with the race detector's verdict on each choice."""
    return Hazard()


def _one_of(name: str, given: Any, known: tuple[Any, ...]) -> Any:
    if given not in known or isinstance(given, bool) != isinstance(known[0], bool):
        raise ValueError(f"hazard().{name}: {given!r}; choose one of {', '.join(map(repr, known))}.")
    return given


# Words -----------------------------------------------------------------------------------------------------------


def _intro() -> str:
    return (
        f"Stream side copies {len(EXPECTED)} batches to the device. Stream main reads each one: it takes the mean. "
        "Two streams do not wait for each other by themselves. Place the waits so that there is no race. Then look for "
        f"the fastest program without one. A copy takes {number(hazard_runs.COPY_US)} us, a read "
        f"{number(hazard_runs.READ_US)} us, and the host's calls take no time on this made-up machine. NaN, not a "
        "number, stands for a value that a race has spoilt. On a real device it would be old, new or half of each, and "
        "often right by luck."
    )


def _sentence(run: Outcome) -> str:
    """Verdict, what was read, and time."""
    fastest = min(other.elapsed_us for other in hazard_runs.runs().values() if other.safe)
    values = ", ".join(map(_value, run.values))
    waited = sum(end - start for start, end in run.waits)
    host = f"The host waited {times(len(run.waits))}, {number(waited)} us in all." if run.waits else ""
    done = f"All is done after {number(run.elapsed_us)} us."
    if run.safe:
        faster = f"The fastest program without a race takes {number(fastest)} us."
        best = faster if run.elapsed_us > fastest else "No program without a race is faster."
        return " ".join(filter(None, [f"No race. Main reads {values}, as it should.", done, best, host]))
    right = ", ".join(map(_value, EXPECTED))
    spoilt = f"Main reads {values} instead of {right}."
    return " ".join(filter(None, ["A race.", *map(_told, run.pairs), spoilt, done, host]))


def _told(pair: Pair) -> str:
    """One pair: "Line 8 on main (`...`) against line 7 on side (`...`): read before the write has finished, once." """
    second, first = (f"line {s.line} on {s.stream} (`{s.source}`)" for s in (pair.second, pair.first))
    return f"L{second[1:]} against {first}: {pair.kind}, {times(pair.times)}. {pair.remedy}"


def _value(value: float) -> str:
    return "NaN" if math.isnan(value) else number(value)


# Pictures --------------------------------------------------------------------------------------------------------


def _shown(run: Outcome) -> dict[str, Any]:
    """One run for the script."""
    return {
        "code": run.code, "said": prose(_sentence(run)), "safe": run.safe, "end": run.elapsed_us,
        "lines": sorted({line for pair in run.pairs for line in (pair.first.line, pair.second.line)}),
        "verdict": "No race" if run.safe else f"A race: {many(len(run.pairs), 'pair')} of lines",
        "copies": run.copies, "reads": run.reads, "waits": run.waits,
        "values": list(map(_value, run.values)),
        "right": [value == right for value, right in zip(run.values, EXPECTED, strict=True)],
    }  # fmt: skip


def _still() -> dict[str, Choice]:
    """The programs of the still picture."""
    return {
        "No waits": Choice("one", "nothing", "nothing", False),
        "One wait": Choice("one", "wait_stream", "nothing", False),
        "One buffer, both waits": Choice("one", "wait_stream", "wait_stream", False),
        "Two buffers, events": Choice("two", "event", "event", False),
    }


def _picture() -> Figure:
    """Both streams of four programs below one another. Leaves no pyplot figure open."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    names, places = [], []
    for i, (name, choice) in enumerate(_still().items()):
        y = 2.6 * i
        _draw(axes, y, hazard_runs.runs()[choice])
        names += [f"{name}: side", "main"]
        places += [y, y + 1]
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlabel("us")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure


def _draw(axes: Axes, y: float, run: Outcome) -> None:
    for start, end in run.copies:
        axes.barh(y, end - start, 0.8, left=start, color=COLOURS["H2D"], hatch="///", edgecolor=(0, 0, 0, 0.4))
    for (start, end), value, right in zip(run.reads, run.values, EXPECTED, strict=True):
        good = value == right
        axes.barh(y + 1, end - start, 0.8, left=start, color=COLOURS["kernel"] if good else "white",
                  hatch=None if good else "xx", edgecolor=COLOURS["wait"] if not good else (0, 0, 0, 0.4))  # fmt: skip
        axes.text((start + end) / 2, y + 1, _value(value), ha="center", va="center", fontsize=9,
                  color="white" if good else "black", backgroundcolor="none" if good else "white")  # fmt: skip
