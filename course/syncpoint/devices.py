"""Which device a notebook works on: a real accelerator where there is one, else the simulated one.

>>> device = sp.device()
working on sim:0, a simulated T4: values are exact, time is virtual
"""

from __future__ import annotations

import os

import torch

_chosen: torch.device | None = None


def device(quiet: bool = False) -> torch.device:
    """The device to work on: cuda, else mps, else ``sim``. The environment variable SYNCPOINT_DEVICE overrides.

    Prints one line that says which, unless ``quiet``. Raises ValueError when SYNCPOINT_DEVICE names a device that
    PyTorch does not know, RuntimeError when it names one that this machine does not have.
    """
    global _chosen
    wanted = os.environ.get("SYNCPOINT_DEVICE", "").strip()
    _chosen = _named(wanted) if wanted else _best()
    if not quiet:
        print(f"working on {describe(_chosen)}")
    return _chosen


def chosen() -> torch.device:
    """What ``device()`` gave last; asks it when nobody has."""
    return _chosen if _chosen is not None else device(quiet=True)


def _best() -> torch.device:
    if torch.cuda.is_available():
        return torch.device("cuda", torch.cuda.current_device())
    if torch.backends.mps.is_available():
        return torch.device("mps", 0)
    return _simulated(None)


def _simulated(index: int | None) -> torch.device:
    from syncpoint import sim
    from syncpoint.sim.machine import machine

    sim.enable()
    if index is not None and index >= machine.devices:
        machine.configure(machine.chip, index + 1)
    return torch.device("sim", machine.current_device if index is None else index)


def _named(wanted: str) -> torch.device:
    kind, _, number = wanted.partition(":")
    if kind == "sim" and (not number or number.isdigit()):
        return _simulated(int(number) if number else None)
    try:
        asked = torch.device(wanted)
    except RuntimeError as error:
        raise ValueError(
            f"SYNCPOINT_DEVICE is {wanted!r}, which is no device. Use cpu, sim, sim:1, cuda or mps, or unset it."
        ) from error
    missing = (kind == "cuda" and not torch.cuda.is_available()) or (
        kind == "mps" and not torch.backends.mps.is_available()
    )
    if missing:
        raise RuntimeError(f"SYNCPOINT_DEVICE is {wanted!r}, but this machine has no {kind}. Use sim, or unset it.")
    return asked


def describe(which: torch.device) -> str:
    """One line in words about a device."""
    if which.type == "sim":
        from syncpoint.sim.machine import machine

        return f"{which}, a simulated {machine.chip.name}: values are exact, time is virtual"
    if which.type == "cuda":
        return f"{which}, a real {torch.cuda.get_device_name(which)}"
    return f"{which}, a real device" if which.type != "cpu" else "cpu, this computer's processor"
