"""Copies beside kernels: how long do some batches take, with pageable or pinned memory, one buffer or two?

Move the sliders for the number of batches and the times of a copy and of a kernel, and see the host, the copy engine
and the kernels in rows of their own, the total time, and the formula that gives it. Every run comes from the simulator
(``overlap_runs.py``). Without a kernel or a script a picture and words remain. ``.value`` (batches), ``.copy``,
``.compute``, ``.memory``, ``.buffers``, ``.total_us``, ``.formula`` and ``.text`` work it from code.

What it does not do: decide how fast real machines are. A copy and a kernel take as long as the sliders say.

>>> o = overlap()
>>> o.memory, o.buffers = "pinned", 2
>>> o.formula, o.total_us
('40 + (4 - 1) × max(40, 60) + 60', 280.0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncpoint.demos import overlap_runs
from syncpoint.demos.overlap_runs import BUFFERS, MEMORY, MOST, TIMES, Run, pageable_factor
from syncpoint.demos.page import demo, number
from syncpoint.demos.stage import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "Copies beside kernels"
FEWEST = 2
#: Sentences with places for numbers; overlap.js fills the same ones.
SAYS = {
    "head1": "{n} batches from {memory} memory, one buffer.",
    "head2": "{n} batches from {memory} memory, two buffers.",
    "formula1": "{n} × ({copy} + {compute})",
    "formula2": "{copy} + ({n} - 1) × max({copy}, {compute}) + {compute}",
    "total": "Total time: {formula} = {total} us.",
    "other1": "With two buffers it would be {other} us.",
    "other2": "With one buffer it would be {other} us.",
    "copies": "The copies set the pace: a faster kernel would hardly help.",
    "kernels": "The kernels set the pace: the copies hide behind them.",
    "both": "Copies and kernels keep the same pace: neither waits for the other.",
    "serial": "Nothing runs side by side: the next copy must not overwrite the buffer while a kernel reads it.",
    "pinned": "The host only queues the work: it is free all the time.",
    "pageable": "The host must stage each pageable copy, which takes {factor} times as long as a pinned one: "
                "it is busy for {host} us.",
}  # fmt: skip
#: What the colours mean.
KEY = {"host": "the host stages a batch", "H2D": "a batch is copied", "kernel": "a kernel works on the batch"}


class Overlap:
    """The demo. It starts with four batches from pageable memory and one buffer: the slowest way."""

    def __init__(self, batches: int = 4) -> None:
        self._memory, self._buffers, self._copy, self._compute = "pageable", 1, 40, 60
        self.value = batches

    @property
    def value(self) -> int:
        """How many batches there are."""
        return self._value

    @value.setter
    def value(self, batches: int) -> None:
        self._value: int = _one_of("value", batches, tuple(range(FEWEST, MOST + 1)))

    @property
    def memory(self) -> str:
        """Where the batches lie on the host: in "pinned" or in "pageable" memory."""
        return self._memory

    @memory.setter
    def memory(self, name: str) -> None:
        self._memory = _one_of("memory", name, MEMORY)

    @property
    def buffers(self) -> int:
        """How many buffers the device has: 1 or 2."""
        return self._buffers

    @buffers.setter
    def buffers(self, count: int) -> None:
        self._buffers = _one_of("buffers", count, BUFFERS)

    @property
    def copy(self) -> int:
        """What a copy from pinned memory takes, in microseconds."""
        return self._copy

    @copy.setter
    def copy(self, us: int) -> None:
        self._copy = _one_of("copy", us, TIMES)

    @property
    def compute(self) -> int:
        """What a kernel takes, in microseconds."""
        return self._compute

    @compute.setter
    def compute(self, us: int) -> None:
        self._compute = _one_of("compute", us, TIMES)

    @property
    def run(self) -> Run:
        """Everything that happens, as spans of time."""
        return self._run(self.memory, self.buffers)

    def _run(self, memory: str, buffers: int) -> Run:
        return overlap_runs.runs()[memory, buffers, self.copy, self.compute]

    @property
    def copy_us(self) -> float:
        """What a copy takes from the memory that was chosen."""
        return self.copy * (pageable_factor() if self.memory == "pageable" else 1)

    @property
    def total_us(self) -> float:
        """When the last batch has been worked on."""
        return self.run.total_us(self.value)

    @property
    def host_us(self) -> float:
        """How long the host is busy."""
        return self.run.host_us(self.value)

    @property
    def formula(self) -> str:
        """The closed form of ``total_us``, with the numbers filled in."""
        return self._filled(f"formula{self.buffers}")

    @property
    def text(self) -> str:
        """The result in words."""
        return self._sentence(self.memory, self.buffers)

    # Words ---------------------------------------------------------------------------------------------------------

    def _filled(self, name: str, **more: Any) -> str:
        values = {"n": self.value, "copy": number(self.copy_us), "compute": self.compute, "memory": self.memory}
        return SAYS[name].format(**values, **more)

    def _sentence(self, memory: str, buffers: int) -> str:
        shown = Overlap(self.value)
        shown.memory, shown.buffers, shown.copy, shown.compute = memory, buffers, self.copy, self.compute
        pace = "copies" if shown.copy_us > shown.compute else "kernels" if shown.copy_us < shown.compute else "both"
        other = shown._run(memory, 3 - buffers).total_us(self.value)
        return " ".join([
            shown._filled(f"head{buffers}"),
            shown._filled("total", formula=shown.formula, total=number(shown.total_us)),
            shown._filled(f"other{buffers}", other=number(other)),
            shown._filled("serial" if buffers == 1 else pace),
            shown._filled(memory, host=number(shown.host_us), factor=number(pageable_factor())),
        ])  # fmt: skip

    def _intro(self) -> str:
        return (
            "A batch is copied to the device, then a kernel works on it. Copies and kernels are on two streams, so a "
            "copy can run beside a kernel, but only into a buffer that no kernel reads. The sliders say what a copy "
            f"from pinned memory takes; from pageable memory it takes {number(pageable_factor())} times as long, as on "
            "a T4. The host's own calls take no time here."
        )

    # The page ------------------------------------------------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        """What overlap.js wants to know; ``runs`` go by memory, then buffers, then copy, then compute."""
        us = [f"{time} us" for time in TIMES]
        found = overlap_runs.runs()
        runs = [_starts(found[m, b, p, c]) for m in MEMORY for b in BUFFERS for p in TIMES for c in TIMES]
        batches = [str(n) for n in range(FEWEST, MOST + 1)]
        return {
            "title": TITLE, "intro": self._intro(), "says": SAYS, "key": KEY, "runs": runs, "times": TIMES,
            "factor": pageable_factor(), "memory": MEMORY, "fewest": FEWEST,
            "sliders": [
                ["Batches", batches, self.value - FEWEST],
                ["A pinned copy takes", us, TIMES.index(self.copy)],
                ["A kernel takes", us, TIMES.index(self.compute)],
            ],
            "radios": [
                ["Memory of the batches", ["pinned", "pageable"], MEMORY.index(self.memory)],
                ["Buffers on the device", ["one", "two, in turn"], BUFFERS.index(self.buffers)],
            ],
        }  # fmt: skip

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        said = [self._sentence(memory, buffers) for memory, buffers in _still()]
        alt = "Staging, copies and kernels as bars on one axis of time, for both kinds of memory, one buffer and two."
        page = demo("overlap", self._data(), alt, self._picture(), [f"{TITLE}. {self._intro()}", *said], tracked=True)
        return {"text/plain": repr(self), "text/html": page}

    def _picture(self) -> Figure:
        """Three rows for each way, below one another. Leaves no pyplot figure open."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 5), layout="constrained")
        axes = figure.subplots()
        names, places = [], []
        for i, (memory, buffers) in enumerate(_still()):
            _draw(axes, 3.6 * i, self._run(memory, buffers), self.value)
            names += [f"{memory}, {'one buffer' if buffers == 1 else 'two buffers'}: host", "copies", "kernels"]
            places += [3.6 * i, 3.6 * i + 1, 3.6 * i + 2]
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.set_xlabel("us")
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        return figure

    def __repr__(self) -> str:
        rows = [
            f"{memory:>9} {buffers:>8} {run.total_us(self.value):>10g} {run.host_us(self.value):>9g}"
            for memory, buffers in _still()
            for run in [self._run(memory, buffers)]
        ]
        head = f"{'memory':>9} {'buffers':>8} {'total, us':>10} {'host, us':>9}"
        return "\n".join([f"{TITLE}. {self._intro()}", head, *rows, self.text])


def overlap(batches: int = 4) -> Overlap:
    """Copies and kernels of some batches, with sliders for their times and choices of memory and buffers.

    Args:
        batches: how many there are at first, from 2 to 8.
    """
    return Overlap(batches)


def _one_of(name: str, given: Any, known: tuple[Any, ...]) -> Any:
    if given not in known or isinstance(given, bool):
        raise ValueError(f"overlap().{name}: {given!r}; choose one of {', '.join(map(repr, known))}.")
    return given


def _still() -> list[tuple[str, int]]:
    """The ways to do it, from slow to fast."""
    return [(memory, buffers) for memory in reversed(MEMORY) for buffers in BUFFERS]


def _starts(run: Run) -> list[list[float]]:
    """A run for the script, which knows how long everything lasts."""
    return [[round(start, 3) for start, _ in spans] for spans in (run.staging, run.copies, run.kernels)]


def _draw(axes: Axes, y: float, run: Run, batches: int) -> None:
    for row, (kind, spans) in enumerate({"host": run.staging, "H2D": run.copies, "kernel": run.kernels}.items()):
        for start, end in spans[:batches]:
            axes.barh(y + row, end - start, 0.8, left=start, color=COLOURS[kind], edgecolor=(0, 0, 0, 0.5),
                      hatch="///" if kind == "H2D" else None, linewidth=0.6)  # fmt: skip
    end = run.total_us(batches)
    axes.text(end, y + 2, f" {number(end)}", va="center", fontsize=9)
