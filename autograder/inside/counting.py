"""Does the simulated device still count, and does PyTorch still compare, as they should?

A learner can register kernels for PyTorch's operators, below everything that `pristine` can see. So a few operators are
run on a machine put aside, and their values and records must be the known ones.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for what is defined below: no learner reaches it by name


_SIM = ("", ".log", ".machine")


class Counting:
    """Made before any learner's code runs; `look` says in words what is wrong."""

    def __init__(self) -> None:
        self._ready = "syncpoint.sim.machine" in sys.modules
        if self._ready:
            torch, sim, log, place = (self._module(n) for n in ("torch", *(f"syncpoint.sim{n}" for n in _SIM)))
            self._aside, self._log, self._machine = sim.aside, log.Log, place.machine
            self._ones, self._equal, self._allclose = torch.ones, torch.equal, torch.allclose
            self._item, self._cpu = torch.Tensor.item, torch.Tensor.cpu

    @staticmethod
    def _module(name: str) -> Any:
        return sys.modules[name]

    def look(self) -> list[str]:
        """An empty list, or what does not count or compare."""
        if not self._ready:
            return []
        log = self._log()
        with self._aside("T4"):
            self._machine.logs.append(log)
            x = self._ones(2, device="sim")
            y = self._cpu(x + x)
            value = self._item(x.sum())
        counts = len(log.waits), len(log.copies), len(log.launches)
        found = []
        if counts != (2, 1, 3) or value != 2.0:
            found.append("the simulated device does not count as it should")
        if self._equal(y, self._ones(2)) or self._allclose(y, self._ones(2)) or not self._equal(y, self._ones(2) * 2):
            found.append("PyTorch does not compare as it should")
        return found
