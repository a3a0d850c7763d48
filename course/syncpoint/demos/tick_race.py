"""The course's made-up race: 256 numbers, several steps each, counted in ticks.

The CPU does 8 numbers a tick, so a step takes it 32; the GPU does all 256 in one tick, but each copy between the two
memories takes 40. So the CPU takes 32 a step, the GPU 40 + steps + 40, and the GPU is first from 3 steps on. The
times come from the simulator's tick machine. The speeds are invented; the shape is real.

>>> tick_times(3)[:2]
(96, 83)
"""

from __future__ import annotations

from functools import cache
from typing import Any

from syncpoint.demos import stage
from syncpoint.demos.apart import apart
from syncpoint.demos.lanes import Lane, lane, winner
from syncpoint.demos.page import number
from syncpoint.words import many

#: How many numbers each step works on.
NUMBERS = 256
TITLE = "A race of a CPU and a GPU"
#: The predictions a learner may choose from, by the names that ``winner`` gives.
GUESSES = {"CPU": "The CPU", "GPU": "The GPU", "both": "Both at the same tick"}


@cache
def tick_times(steps: int) -> tuple[int, int, list[Lane]]:
    """Ticks of the CPU, ticks of the GPU with its copies, and both lanes."""
    cpu, gpu = apart(lambda: _run(steps), "ticks")
    return round(cpu.end), round(gpu.end), [cpu, gpu]


def _run(steps: int) -> tuple[Lane, Lane]:
    import torch

    import syncpoint as sp

    x = torch.zeros(NUMBERS, dtype=torch.float32, device="cpu")  # whatever the learner's defaults are
    with sp.trace("sim") as on_cpu:
        for _ in range(steps):
            x = x + 1
    with sp.trace("sim") as on_gpu:
        y = x.to("sim")
        for _ in range(steps):
            y = y + 1
        y.cpu()
    cpu, gpu = lane("CPU", on_cpu), lane("GPU", on_gpu)
    gpu.rows = [row for row in gpu.rows if row.name != "host"]  # the host only waits for the copies
    return cpu, gpu


class TickRace:
    """The race of the made-up machine. ``value`` is the number of steps that ``text`` and ``winner`` speak of."""

    def __init__(self, most_steps: int = 6) -> None:
        if most_steps < 1:
            raise ValueError(f"race(): most_steps is {most_steps}; a race has at least 1 step.")
        self.most_steps = most_steps
        self._value = 1

    @property
    def value(self) -> int:
        return self._value

    @value.setter
    def value(self, steps: int) -> None:
        if not isinstance(steps, int) or not 1 <= steps <= self.most_steps:
            raise ValueError(f"race().value: {steps!r} steps; choose a whole number from 1 to {self.most_steps}.")
        self._value = steps

    @property
    def cpu_ticks(self) -> int:
        return tick_times(self.value)[0]

    @property
    def gpu_ticks(self) -> int:
        return tick_times(self.value)[1]

    @property
    def winner(self) -> str:
        return winner(self.cpu_ticks, self.gpu_ticks)

    @property
    def text(self) -> str:
        """The result at ``value`` steps, in words."""
        return self._sentence(self.value)

    @property
    def tie_break(self) -> int | None:
        """The fewest steps with which the GPU wins; None when the slider doesn't go that far."""
        steps = range(1, self.most_steps + 1)
        return next((n for n in steps if winner(*tick_times(n)[:2]) == "GPU"), None)

    def _sentence(self, steps: int) -> str:
        cpu, gpu, (_, gpu_lane) = tick_times(steps)
        there, work, back = (number(gpu_lane.spent(kind)) for kind in ("H2D", "kernel", "D2H"))
        each = f"{steps} × {number(cpu / steps)} = " if steps > 1 else ""
        took = f"the CPU takes {each}{many(cpu, 'tick')}, the GPU {there} + {work} + {back} = {many(gpu, 'tick')}"
        first = winner(cpu, gpu)
        verdict = "Both finish at the same tick."
        if first != "both":
            verdict = f"The {first} finishes first, by {many(abs(cpu - gpu), 'tick')}."
        if steps == self.tie_break:
            verdict += f" From {many(steps, 'step')} on, the two copies pay off."
        return f"{many(steps, 'step')}: {took}. {verdict}"

    def _intro(self) -> str:
        """The rules, as the simulated machine has them."""
        cpu, _, (_, gpu_lane) = tick_times(1)
        each, step, copy = NUMBERS // cpu, gpu_lane.spent("kernel"), gpu_lane.spent("H2D")
        return (
            f"Each step works on all {NUMBERS} numbers. The CPU does {each} numbers a tick. The GPU does "
            f"{number(NUMBERS / step)} a tick, but each copy between the two memories takes {number(copy)} ticks."
        )

    def _question(self) -> dict[str, Any]:
        said = ["Your prediction was right." if g == self.winner else "It came out another way." for g in GUESSES]
        return {
            "text": f"Predict: with {many(self.value, 'step')}, which finishes first?",
            "options": list(GUESSES.values()),
            "said": said,
            "hint": "Choose an answer, then press Run.",
            "next": "Now drag the slider until the GPU wins." if self.winner != "GPU" else "Now drag the slider.",
        }

    def _data(self) -> dict[str, Any]:
        steps = range(1, self.most_steps + 1)
        runs = [stage.run(many(n, "step"), tick_times(n)[2], self._sentence(n), "ticks") for n in steps]
        key = [("host", "CPU step"), ("H2D", "copy to the GPU"), ("kernel", "GPU step"), ("D2H", "copy back")]
        return stage.data(TITLE, runs, key, "ticks") | {
            "intro": self._intro(), "start": self.value - 1, "control": "Steps", "numbers": NUMBERS,
            "question": self._question(),
        }  # fmt: skip

    def _shown(self) -> list[int]:
        """The steps of the still picture: 1, and both sides of the tie-break."""
        first = self.tie_break or self.most_steps
        return sorted({1, max(1, first - 1), first})

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        groups = [(many(n, "step"), tick_times(n)[2]) for n in self._shown()]
        alt = "The race as bars on one axis of ticks, for " + ", ".join(title for title, _ in groups) + "."
        words = [f"{TITLE}. {self._intro()}", *map(self._sentence, self._shown())]
        return {"text/plain": repr(self), "text/html": stage.figure(self._data(), groups, alt, words)}

    def __repr__(self) -> str:
        rows = [f"{n:5} {cpu:5} {gpu:5}   {first}" for n, cpu, gpu, first in self.table()]
        return "\n".join([f"{TITLE}. {self._intro()}", "steps   CPU   GPU   first", *rows])

    def table(self) -> list[tuple[int, int, int, str]]:
        """(steps, CPU ticks, GPU ticks, who is first) for every position of the slider."""
        times = [(n, *tick_times(n)[:2]) for n in range(1, self.most_steps + 1)]
        return [(n, cpu, gpu, winner(cpu, gpu)) for n, cpu, gpu in times]
