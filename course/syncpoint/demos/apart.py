"""Run something on the simulated accelerator without a trace of it on the learner's.

A demo measures while a learner's own trace may be open, on a chip and a clock of the learner's choice. Here it gets a
thread of its own, because what watches PyTorch's operators (an open trace, a default device) belongs to a thread, and
a machine with a clock at zero. Afterwards everything is as it was.

What it does not do: give the learner's other threads a machine of their own meanwhile. They share the borrowed one.

>>> def sim_name():
...     import torch
...     return torch.get_device_module("sim").get_device_name()
>>> apart(sim_name, chip="A100")
'sim (A100)'
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from syncpoint.sim import Chip

T = TypeVar("T")


def apart(fn: Callable[[], T], chip: str | Chip) -> T:
    """``fn()``, run on a fresh machine with this chip in a thread of its own."""
    import syncpoint as sp

    sp.sim.enable()  # in the caller's thread, where the learner will use it
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_run, fn, chip).result()


def _run(fn: Callable[[], T], chip: str | Chip) -> T:
    import syncpoint as sp

    with sp.sim.aside(chip):
        return fn()
