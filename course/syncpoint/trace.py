"""One record of all that happened in a block of code: waits, copies, launches, operators on the CPU, and time.

>>> with sp.trace() as t:
...     total = (x * 2).sum().item()
>>> len(t.waits), t.waits[0].kind
(1, 'value read')

On ``sim`` the simulator's own log is read: counts are exact, whatever the code does. On cuda, mps and cpu a dispatch
mode watches PyTorch's operators and the same tables tell what waits, so a trace looks the same everywhere; its time is
virtual there too. On cpu, where there is nothing to copy to, all tensors count as the device's.

What the watcher does not see, unlike the simulator: what PyTorch does below its dispatcher or with modes switched off
(printing a tensor, for one), synchronise calls of CUDA, and libraries that call CUDA by themselves.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import torch

from syncpoint import devices, sim
from syncpoint.sim.log import Copy, Frame, HostOp, Launch, Log, Wait
from syncpoint.sim.machine import Machine, machine
from syncpoint.sim.races import Race

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Copy", "Frame", "HostOp", "Launch", "Race", "Trace", "Wait", "trace"]


class Trace:
    """What happened between entering and leaving the block. Lists are in the order of the host's calls.

    ``host_us``: how far the host's clock advanced: what a timer that does not wait for the device would show.
    ``device_us``: how long the devices were busy with kernels. ``elapsed_us``: until host and devices were done.
    All three are virtual microseconds. A trace that is not inside another one starts with idle devices: work that was
    queued before it is let finish first, so it is in none of the three.

    Where the simulated machine was started anew inside the block (``sp.sim.use``), nothing is known of its time: all
    three are NaN. ``disturbed`` says so; ``sp.checks`` refuse such a trace.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._log = Log()
        self._machine: Machine = machine
        self._watcher: Any = None
        self._end: tuple[float, float, float] | None = None
        self._tally_before = self._tally_after = machine.tally()
        self.start_us = 0.0

    def __enter__(self) -> Trace:
        from syncpoint.watch import HostWatcher, Watcher

        if self._end is not None or self._watcher is not None:
            raise RuntimeError("a trace records one block only: open a new one with sp.trace()")
        if self.device.type == "sim":
            # Inside another trace that one's watcher charges the CPU operators already.
            self._watcher = nullcontext() if machine.logs else HostWatcher(machine)
        else:
            self._machine = Machine()
            self._machine.name = self.device.type
            self._watcher = Watcher(self._machine, self.device.type)
        if not self._machine.logs:
            self._machine.clock.drain()
        self.start_us = self._machine.clock.host_us
        self._device_start_us = self._device_end_us()
        self._busy_start_us = self._busy_us()
        self._tally_before = self._machine.tally()
        self._machine.logs.append(self._log)
        self._watcher.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._watcher.__exit__(kind, error, traceback)
        self._end = self._now()
        self._tally_after = self._machine.tally()
        if self._log in self._machine.logs:  # else it was disturbed
            self._machine.logs.remove(self._log)

    def _device_end_us(self) -> float:
        return self._machine.clock.device_end_us()

    def _busy_us(self) -> float:
        return sum(self._machine.clock.busy_us.values())

    def _now(self) -> tuple[float, float, float]:
        host = self._machine.clock.host_us - self.start_us
        busy = self._busy_us() - self._busy_start_us
        end = self._device_end_us()
        worked = end > self._device_start_us  # else all that is left on the device was there before
        return host, busy, max(host, end - self.start_us) if worked else host

    def _times(self) -> tuple[float, float, float]:
        if self._tally()[0] != self._tally_before[0]:
            return math.nan, math.nan, math.nan
        return self._now() if self._end is None else self._end

    def _tally(self) -> tuple[int, int, dict[str, int]]:
        return self._machine.tally() if self._end is None else self._tally_after

    @property
    def disturbed(self) -> str:
        """Why this trace does not hold all that happened, in words; "" where it does."""
        (epoch, asides, told), (epoch_now, asides_now, told_now) = self._tally_before, self._tally()
        if epoch != epoch_now:
            return "the simulated machine was started anew while the trace was open (sp.sim.use)"
        if asides != asides_now:
            return "another simulated machine was used while the trace was open (sp.sim.aside, or a demo)"
        for name, total in told_now.items():
            records = getattr(self._log, name)
            if len(records) != min(total - told[name], records.most):
                return f"{name} that happened while the trace was open are not in it: its records were changed"
        return ""

    @property
    def waits(self) -> list[Wait]:
        """Each time the host stood still until the device had caught up."""
        return self._log.waits

    @property
    def copies(self) -> list[Copy]:
        """Each copy between host and device or between devices; value reads are waits, not copies."""
        return self._log.copies

    @property
    def launches(self) -> list[Launch]:
        """Each operator sent to a device; ``kernels`` says how many launches and library calls it takes on CUDA."""
        return self._log.launches

    @property
    def host_ops(self) -> list[HostOp]:
        """Each operator that ran on the CPU."""
        return self._log.host_ops

    @property
    def races(self) -> list[Race]:
        """Each pair of accesses to the same bytes that nothing puts in order (``Race``)."""
        return self._log.races

    @property
    def counts(self) -> dict[str, int]:
        """How many records of each kind there were. The lists keep the first 200,000 of a kind."""
        log = self._log
        return {name: records.total for name, records in vars(log).items()}

    @property
    def host_us(self) -> float:
        return self._times()[0]

    @property
    def device_us(self) -> float:
        return self._times()[1]

    @property
    def elapsed_us(self) -> float:
        return self._times()[2]

    def report(self) -> str:
        """The trace in words, the learner's code line by line."""
        from syncpoint.report import report

        log = vars(self._log).items()
        cut = [f"{r.total:,} {name}, of which the first {len(r):,} are told" for name, r in log if r.total > len(r)]
        return report(self) + ("" if not cut else f"\n\nA long trace: {'; '.join(cut)}.")

    def timeline(self, **options: Any) -> Figure:
        """The trace as a picture: host, device and copy engines over virtual time."""
        from syncpoint.timeline import timeline

        return timeline(self, **options)

    def save(self, path: str | Path) -> None:
        """Write the trace as Chrome trace JSON, which https://ui.perfetto.dev opens."""
        from syncpoint.timeline import save

        save(self, path)

    def __repr__(self) -> str:
        return (
            f"<Trace on {self.device}: {len(self.waits)} waits, {len(self.copies)} copies, "
            f"{len(self.launches)} launches, {self.elapsed_us:.1f} virtual us>"
        )


def trace(device: torch.device | str | None = None) -> Trace:
    """Record what happens in a ``with`` block on a device: by default the one that ``sp.device()`` chose."""
    if str(device).partition(":")[0] == "sim":
        sim.enable()  # so that torch.device("sim") is known below
    return Trace(devices.chosen() if device is None else torch.device(device))
