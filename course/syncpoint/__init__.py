"""Syncpoint: how a CPU and a GPU work together in PyTorch, on a device that everyone has.

>>> import syncpoint as sp
>>> device = sp.device()             # cuda, else mps, else the simulated accelerator; says which
>>> with sp.trace() as t:
...     x = torch.randn(3, 3).to(device)
...     while (x.norm() > 1).item():     # every iteration waits
...         x = x * 0.5
>>> print(t.report())

Importing it is cheap: everything is loaded when it is first used.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from syncpoint import checks as checks
    from syncpoint import loops as loops
    from syncpoint import pipeline as pipeline
    from syncpoint import sim as sim
    from syncpoint.demos.bubble import bubble
    from syncpoint.demos.depth import depth
    from syncpoint.demos.hazard import hazard
    from syncpoint.demos.overlap import overlap
    from syncpoint.demos.predict import predict
    from syncpoint.demos.queue import queue
    from syncpoint.demos.quiz import quiz
    from syncpoint.demos.race import race
    from syncpoint.devices import device
    from syncpoint.layout import layout
    from syncpoint.placement import placement
    from syncpoint.sim.guards import allow, guard
    from syncpoint.timing import timer
    from syncpoint.trace import Trace, trace

__version__ = "0.1.0"
__all__ = [
    "Trace",
    "allow",
    "bubble",
    "checks",
    "depth",
    "device",
    "guard",
    "hazard",
    "layout",
    "loops",
    "overlap",
    "pipeline",
    "placement",
    "predict",
    "queue",
    "quiz",
    "race",
    "sim",
    "timer",
    "trace",
]

_HOME = {
    "Trace": "syncpoint.trace", "trace": "syncpoint.trace", "device": "syncpoint.devices",
    "placement": "syncpoint.placement", "timer": "syncpoint.timing", "race": "syncpoint.demos.race",
    "quiz": "syncpoint.demos.quiz", "predict": "syncpoint.demos.predict", "guard": "syncpoint.sim.guards",
    "allow": "syncpoint.sim.guards", "depth": "syncpoint.demos.depth", "queue": "syncpoint.demos.queue",
    "layout": "syncpoint.layout", "hazard": "syncpoint.demos.hazard",
    "overlap": "syncpoint.demos.overlap", "bubble": "syncpoint.demos.bubble",
}  # fmt: skip
_MODULES = ("checks", "loops", "pipeline", "sim")


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"syncpoint.{name}")
    else:
        raise AttributeError(f"module 'syncpoint' has no attribute {name!r}. It has: {', '.join(__all__)}")
    globals()[name] = value
    return value


class _Face(ModuleType):
    """Importing the submodule ``syncpoint.trace`` must not hide the function ``sp.trace`` behind the module."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _check_torch() -> None:
    """A sentence instead of a traceback where PyTorch is missing or too old."""
    try:
        import torch
    except ImportError as error:
        raise ImportError("syncpoint needs PyTorch. Install it with: pip install 'torch>=2.11'") from error
    version = torch.__version__
    if tuple(int(part) for part in version.split("+")[0].split(".")[:2]) < (2, 11):
        raise ImportError(
            f"syncpoint needs torch 2.11 or newer, this is torch {version}. Install one with: pip install 'torch>=2.11'"
        )


_check_torch()
