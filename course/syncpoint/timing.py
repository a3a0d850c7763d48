"""An honest timer: it waits for the device before both readings of the clock.

A launch returns before its kernel has run, so a timer that only reads the clock measures how fast the host can launch.
On ``sim`` the time is virtual: the same program takes the same time on every machine. Elsewhere it is wall time.
Waiting costs a little: two synchronise calls, which a trace around the timer shows as waits, and of which the second
one's latency is part of the measurement.
What it does not do: time the CPU on ``sim``'s clock. Python is free there, and CPU operators cost virtual time only
within ``sp.trace()``; pass ``device="cpu"`` to time the CPU by the wall clock.

>>> with timer(device) as t:                                # doctest: +SKIP
...     y = x @ x
>>> print(t)                                                # doctest: +SKIP
18.3 us (virtual time)
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import torch

from syncpoint.devices import chosen
from syncpoint.placement import as_device
from syncpoint.words import many, time_text

Device = torch.device | str


class timer:
    """Times the block it opens. ``device``: one device or several; by default the one that ``sp.device()`` chose.

    ``us`` and ``ms`` hold the result once the block has ended, ``virtual`` says whose time it is.
    """

    def __init__(self, device: Device | Iterable[Device] | None = None) -> None:
        self._devices = _devices(device)
        self._start_us = 0.0
        self._us: float | None = None
        self.virtual = self._devices[0].type == "sim"

    def __enter__(self) -> timer:
        self._us = None
        self._synchronise()
        self._start_us = self._clock_us()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:  # after an error there is nothing to measure, and a second one would hide it
            self._synchronise()
            self._us = self._clock_us() - self._start_us

    @property
    def us(self) -> float:
        """Microseconds from the beginning of the block until the device had finished its work."""
        if self._us is None:
            raise RuntimeError(
                "the timer has no result: read it after its with block, once that has ended without error"
            )
        return self._us

    @property
    def ms(self) -> float:
        return self.us / 1_000

    def __str__(self) -> str:
        return f"{time_text(self.us)} ({_clock_name(self.virtual)})"

    def __repr__(self) -> str:
        return "<timer: no result yet>" if self._us is None else f"<timer: {self}>"

    def _synchronise(self) -> None:
        for device in self._devices:
            _synchronise(device)

    def _clock_us(self) -> float:
        if self.virtual:
            return float(torch.get_device_module("sim").clock_us())
        return time.perf_counter() * 1e6

    @staticmethod
    def measure(
        fn: Callable[[], Any], warmup: int = 3, repeats: int = 10, device: Device | Iterable[Device] | None = None
    ) -> Measurement:
        """Call ``fn`` a few times untimed, because first calls cost more; then time ``repeats`` calls one by one."""
        if repeats < 1 or warmup < 0:
            raise ValueError(f"expected repeats of at least 1 and warmup of at least 0, got {repeats} and {warmup}")
        for _ in range(warmup):
            fn()
        clock, values = timer(device), []
        for _ in range(repeats):
            with clock:
                fn()
            values.append(clock.us)
        return Measurement(statistics.median(values), tuple(values), clock.virtual)


@dataclass(slots=True, frozen=True)
class Measurement:
    """Repeated timings of one function: the median, and every value, because a median alone hides the spread."""

    us: float  # the median
    values_us: tuple[float, ...]
    virtual: bool

    @property
    def ms(self) -> float:
        return self.us / 1_000

    def __str__(self) -> str:
        low, high = time_text(min(self.values_us)), time_text(max(self.values_us))
        runs = many(len(self.values_us), "run")
        return f"{time_text(self.us)}, median of {runs}, {low} to {high} ({_clock_name(self.virtual)})"


def _clock_name(virtual: bool) -> str:
    return "virtual time" if virtual else "wall time"


def _devices(wanted: Device | Iterable[Device] | None) -> list[torch.device]:
    if wanted is None:
        return [chosen()]
    several = [wanted] if isinstance(wanted, (str, torch.device)) else list(wanted)
    devices = [as_device(one) for one in several]
    if not devices:
        raise ValueError("expected at least one device to time on, got none")
    if len({device.type for device in devices}) > 1:
        raise ValueError(f"one timer reads one clock, but these devices are of several types: {devices}")
    return devices


def _synchronise(device: torch.device) -> None:
    """Wait until a device has done all its work. The CPU is done when its call returns."""
    if device.type == "mps":
        torch.mps.synchronize()  # there is one, and the call takes no argument
    elif device.type != "cpu":
        torch.get_device_module(device).synchronize(device)
