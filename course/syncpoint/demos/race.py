"""Race a CPU against a GPU on virtual time: the course's made-up machine, or two functions of your own.

``race()`` is the made-up machine: 256 numbers, several steps each; the CPU does 8 numbers a tick, the GPU all 256,
and each copy between their memories takes 40 ticks. Predict, press Run, then drag the slider. ``race(fn_cpu, fn_gpu)``
runs your two functions once each and compares when everything, host and device, was done.

Without a kernel or a script a picture and a caption in words remain. ``.value`` (steps) and ``.text`` drive the first
one from code. What it does not do: decide how fast real machines are. The ticks are invented; for the functions, the
simulated chip counts.

>>> r = race()
>>> r.value = 3
>>> r.text
'3 steps: the CPU takes 3 × 32 = 96 ticks, the GPU 40 + 3 + 40 = 83 ticks. The GPU finishes first, by 13 ticks. ...'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from syncpoint.demos.function_race import FunctionRace
from syncpoint.demos.tick_race import TickRace


@overload
def race(*, most_steps: int = 6) -> TickRace: ...
@overload
def race(fn_cpu: Callable[[], Any], fn_gpu: Callable[[], Any], *, device: Any = None) -> FunctionRace: ...
def race(
    fn_cpu: Callable[[], Any] | None = None,
    fn_gpu: Callable[[], Any] | None = None,
    *,
    most_steps: int = 6,
    device: Any = None,
) -> TickRace | FunctionRace:
    """The race of the made-up machine, or of two functions that take no argument.

    Args:
        fn_cpu, fn_gpu: called once each, inside a trace. Give both or neither.
        most_steps: how far the slider of the made-up race goes.
        device: whose trace to read, as for ``sp.trace``; the device of the lab when left out.
    """
    if fn_cpu is None and fn_gpu is None:
        return TickRace(most_steps)
    if fn_cpu is None or fn_gpu is None:
        raise TypeError("race() takes two functions, one for the CPU and one for the GPU, or none at all.")
    for name, fn in (("fn_cpu", fn_cpu), ("fn_gpu", fn_gpu)):
        if not callable(fn):
            raise TypeError(f"race(): {name} is a {type(fn).__name__}, not a function. Pass it without calling it.")
    return FunctionRace(fn_cpu, fn_gpu, device)
