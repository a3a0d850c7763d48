"""The work queue: what the host does, what the device does, and where the host waits.

The host launches equal jobs, the device runs them. Set how long a job runs, how long a launch takes and where a wait
stands, and see when each of the two is through, and what a timer shows that stops with the host. Without a kernel or a
script a picture and words remain. ``.value`` (microseconds of a job), ``.launch``, ``.wait`` and ``.text`` work it
from code.

What it does not do: decide how fast real machines are. Launches and jobs take as long as the sliders say.

>>> q = queue()
>>> q.text
'6 jobs of 40 us, 10 us for each launch, no wait. The host is through after 60 us, the device after 250 us. ...'
>>> q.wait = "every"
>>> q.waits
6
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from syncpoint.demos.page import demo, number
from syncpoint.demos.queue_runs import Schedule, schedule
from syncpoint.demos.stage import COLOURS, grid
from syncpoint.words import times

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "The work queue"
#: What the sliders offer, in microseconds.
KERNELS = (2, 5, 10, 20, 40, 80)
LAUNCHES = (5, 10, 20)
EVERY = "every"
#: What the colours mean.
KEY = {"host": "the host launches a job", "wait": "the host waits", "kernel": "the device runs a job"}


@lru_cache(maxsize=512)
def _run(jobs: int, kernel: int, launch: int, wait: int | str) -> Schedule:
    after = range(1, jobs + 1) if isinstance(wait, str) else [wait]
    return schedule(jobs, kernel, launch, after)


class Queue:
    """The demo. ``value``: us of a job; ``launch``: us of a launch; ``wait``: 0, the number of a job, or "every"."""

    def __init__(self, jobs: int = 6) -> None:
        if not isinstance(jobs, int) or isinstance(jobs, bool) or not 2 <= jobs <= 12:
            raise ValueError(f"queue(): jobs is {jobs!r}; choose a whole number from 2 to 12.")
        self.jobs = jobs
        self._value, self._launch = 40, 10
        self._wait: int | str = 0

    @property
    def value(self) -> int:
        return self._value

    @value.setter
    def value(self, us: int) -> None:
        self._value = _one_of(KERNELS, us, "value", "a job's time in us")

    @property
    def launch(self) -> int:
        return self._launch

    @launch.setter
    def launch(self, us: int) -> None:
        self._launch = _one_of(LAUNCHES, us, "launch", "a launch's time in us")

    @property
    def wait(self) -> int | str:
        return self._wait

    @wait.setter
    def wait(self, place: int | str) -> None:
        self._wait = _one_of(self._places(), place, "wait", "the job behind which the host waits, 0 for none")

    @property
    def run(self) -> Schedule:
        """Everything that happens, as spans of time."""
        return _run(self.jobs, self.value, self.launch, self.wait)

    @property
    def host_us(self) -> float:
        """When the host is through. A timer that doesn't wait stops here."""
        return self.run.host_us

    @property
    def device_us(self) -> float:
        """When the device is through."""
        return self.run.device_us

    @property
    def waits(self) -> int:
        return len(self.run.waits)

    @property
    def text(self) -> str:
        """The result in words."""
        return self._sentence(self.value, self.launch, self.wait)

    def _places(self) -> tuple[int | str, ...]:
        return (*range(self.jobs + 1), EVERY)

    # Words ---------------------------------------------------------------------------------------------------------

    def _intro(self) -> str:
        return (
            f"The host launches {self.jobs} equal jobs, one after the other. The device runs them in the same order. "
            "Where a wait stands, the host goes on only when the device has nothing left to do."
        )

    def _sentence(self, kernel: int, launch: int, wait: int | str) -> str:
        run = _run(self.jobs, kernel, launch, wait)
        head = f"{self.jobs} jobs of {kernel} us, {launch} us for each launch, {_place(wait)}."
        ends = f"The host is through after {number(run.host_us)} us, the device after {number(run.device_us)} us."
        return " ".join(filter(None, [head, ends, _timer(run), _waited(run), _idle(run)]))

    # The page ------------------------------------------------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        """What queue.js wants to know: for each pair of times an axis, and for each place of the wait a run."""
        charts = []
        for kernel in KERNELS:
            for launch in LAUNCHES:
                runs = [_run(self.jobs, kernel, launch, wait) for wait in self._places()]
                span = 1.04 * max(max(r.host_us, r.device_us) for r in runs)
                said = [self._sentence(kernel, launch, wait) for wait in self._places()]
                shown = [_starts(r) | {"said": s} for r, s in zip(runs, said, strict=True)]
                charts.append({"span": round(span, 2), "grid": grid(span), "us": [launch, kernel], "runs": shown})
        return {
            "title": TITLE, "intro": self._intro(), "charts": charts, "launches": len(LAUNCHES),
            "sliders": [
                ["A job runs", [f"{us} us" for us in KERNELS], KERNELS.index(self.value)],
                ["A launch takes", [f"{us} us" for us in LAUNCHES], LAUNCHES.index(self.launch)],
                ["Wait", [_place(p) for p in self._places()], self._places().index(self.wait)],
            ],
        }  # fmt: skip

    def _shown(self) -> list[int | str]:
        """The waits of the still picture."""
        return [0, self.jobs, EVERY]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        said = [self._sentence(self.value, self.launch, wait) for wait in self._shown()]
        words = [f"{TITLE}. {self._intro()}", *said]
        alt = "Launches and waits of the host, and jobs of the device, as bars on one axis of time, for three programs."
        page = demo("queue", self._data(), alt, self._picture(), words)
        return {"text/plain": repr(self), "text/html": page}

    def _picture(self) -> Figure:
        """Host and device of three programs below one another. Leaves no pyplot figure open."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 3.6), layout="constrained")
        axes = figure.subplots()
        names, places = [], []
        for i, wait in enumerate(self._shown()):
            run = _run(self.jobs, self.value, self.launch, wait)
            _draw(axes, 2.6 * i, run)
            names += [f"{_place(wait)}: host", "device"]
            places += [2.6 * i, 2.6 * i + 1]
        handles, labels = axes.get_legend_handles_labels()
        key = dict(zip(labels, handles, strict=True))
        figure.legend(key.values(), key.keys(), loc="outside upper center", ncols=3, frameon=False, fontsize=8)
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.set_xlabel("us")
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        return figure

    def __repr__(self) -> str:
        rows = [
            f"{_place(wait):20} {r.host_us:>9g} {r.device_us:>11g} {len(r.waits):>6}"
            for wait in self._places()
            for r in [_run(self.jobs, self.value, self.launch, wait)]
        ]
        head = f"{'':20} {'host, us':>9} {'device, us':>11} {'waits':>6}"
        return "\n".join([f"{TITLE}. {self._intro()}", head, *rows, self.text])


def queue(jobs: int = 6) -> Queue:
    """What host and device do with a queue of jobs, with sliders for times and for the place of a wait.

    Args:
        jobs: how many jobs there are, from 2 to 12.
    """
    return Queue(jobs)


def _one_of(known: tuple[Any, ...], given: Any, name: str, what: str) -> Any:
    if given not in known or isinstance(given, bool):
        raise ValueError(f"queue().{name}: {given!r}; choose {what}, one of {', '.join(map(str, known))}.")
    return given


def _place(wait: int | str) -> str:
    return "no wait" if wait == 0 else "a wait after every job" if wait == EVERY else f"a wait after job {wait}"


def _timer(run: Schedule) -> str:
    missing = run.device_us - run.host_us
    if missing > 0:
        return f"A timer that stops with the host misses {number(missing)} us of work."
    return "A timer that stops with the host has seen all the work."


def _waited(run: Schedule) -> str:
    stood = sum(end - start for start, end in run.waits)
    return f"The host waited {times(len(run.waits))}, {number(stood)} us in all." if run.waits else ""


def _idle(run: Schedule) -> str:
    between = "between its first job and its last"
    return f"The device stood idle for {number(run.idle_us)} us {between}." if run.idle_us > 1e-9 else ""


def _starts(run: Schedule) -> dict[str, Any]:
    """A run for the script, which knows how long launches and kernels last: there are many runs, so this is short."""
    return {
        "launches": [start for start, _ in run.launches],
        "kernels": [start for start, _ in run.kernels],
        "waits": run.waits,
        "end": run.host_us,
    }


def _draw(axes: Axes, y: float, run: Schedule) -> None:
    rows = [(0, run.launches, "host"), (0, run.waits, "wait"), (1, run.kernels, "kernel")]
    for row, spans, kind in rows:
        wait, colour = kind == "wait", COLOURS[kind]
        axes.barh(
            [y + row] * len(spans), [end - start for start, end in spans], 0.8, left=[start for start, _ in spans],
            color="white" if wait else colour, edgecolor=colour if wait else (0, 0, 0, 0.5),
            hatch="...." if wait else None, linewidth=0.6, label=KEY[kind] if run.waits and y > 0 else None,
        )  # fmt: skip
    axes.plot([run.host_us] * 2, [y - 0.5, y + 1.5], color="black", linewidth=1.5)
    axes.annotate(f" timer: {number(run.host_us)}", (run.host_us, y - 0.5), va="bottom", fontsize=8)
