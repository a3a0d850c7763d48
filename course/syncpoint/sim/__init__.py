"""The simulated accelerator ``sim``: a PyTorch device in pure Python with a virtual clock.

>>> from syncpoint import sim
>>> sim.use(chip="T4")                       # registers the device and sets its clock to zero
>>> torch.randn(3, device="sim")

What it models, and what it does not, stands in each module's docstring. It knows PyTorch and nothing else of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from syncpoint.sim import chips
from syncpoint.sim.chips import Chip

__all__ = ["Chip", "aside", "chips", "enable", "is_enabled", "use"]

_MOST_DEVICES = 64


def enable() -> None:
    """Make ``device="sim"`` known to PyTorch; nothing happens when it is already."""
    from syncpoint.sim import backend

    backend.enable()


def is_enabled() -> bool:
    """Whether ``device="sim"`` is known to PyTorch in this process."""
    from syncpoint.sim import backend

    return backend.is_enabled()


def use(chip: str | Chip = chips.DEFAULT, devices: int | None = None, host: chips.Host | None = None) -> Chip:
    """Simulate a machine: ``devices`` times the chip (None: as many as now), with its host. The clock starts again.

    ``chip`` is a name from ``chips.CHIPS`` ("T4", "A100", ...) or a :class:`Chip` of your own. Existing tensors stay
    valid. Returns the chip. Raises ValueError for an unknown name or a number of devices outside 1 to 64.
    """
    from syncpoint.sim import blocks
    from syncpoint.sim.machine import machine

    devices = machine.devices if devices is None else devices
    if not isinstance(devices, int) or not 1 <= devices <= _MOST_DEVICES:
        raise ValueError(f"devices must be a whole number from 1 to {_MOST_DEVICES}, not {devices!r}")
    chosen = chips.get(chip) if isinstance(chip, str) else chip
    if not isinstance(chosen, Chip):
        raise ValueError(f"chip must be a name or a syncpoint.sim.Chip, not {chip!r}")
    if host is not None:
        chosen = replace(chosen, host=host)
    enable()
    blocks.settle()
    machine.configure(chosen, devices)
    return chosen


@contextmanager
def aside(chip: str | Chip = chips.DEFAULT, devices: int = 1) -> Iterator[None]:
    """Another machine for the length of a block; then the one from before goes on where it was, open traces too."""
    enable()
    from syncpoint.sim import blocks
    from syncpoint.sim.machine import machine

    blocks.settle()
    kept = machine.put_aside()
    try:
        use(chip, devices)
        yield
    finally:
        blocks.settle()
        machine.take_back(kept)
