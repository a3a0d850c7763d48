"""Traces made by hand, record by record, so that each test knows every number in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch

from syncpoint.sim.log import Copy, Launch, Wait


@dataclass
class MadeTrace:
    """The face of syncpoint.trace.Trace, filled in by hand."""

    waits: list[Wait] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    host_ops: list[Any] = field(default_factory=list)
    races: list[Any] = field(default_factory=list)
    start_us: float = 0.0
    host_us: float = 0.0
    device_us: float = 0.0
    elapsed_us: float = 0.0
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))


@dataclass
class Device:
    """Stands for torch.device("sim:0"), which PyTorch only knows once sim is enabled."""

    name: str = "sim:0"

    @property
    def type(self) -> str:
        return self.name.split(":")[0]

    def __str__(self) -> str:
        return self.name


def wait(us: float = 12.0, line: int = 4, source: str = "while (x.norm() > 1).item():", **changes: Any) -> Wait:
    values: dict[str, Any] = {
        "kind": "value read", "op": "aten._local_scalar_dense", "bytes": 4, "device": "sim:0", "waited_us": us,
        "drained": False, "at_us": 0.0, "file": "train.py", "line": line, "source": source, "stack": (),
    }  # fmt: skip
    return Wait(**(values | changes))


def copy(nbytes: int = 200_704, line: int = 2, source: str = "x = x.to(device)", **changes: Any) -> Copy:
    values: dict[str, Any] = {
        "kind": "H2D", "op": "aten._to_copy", "bytes": nbytes, "device": "sim:0", "pinned": False,
        "non_blocking": False, "blocking": True, "at_us": 0.0, "start_us": 5.0, "end_us": 25.0, "file": "train.py",
        "line": line, "source": source,
    }  # fmt: skip
    return Copy(**(values | changes))


def launch(at: float = 0.0, start: float = 5.0, end: float = 8.0, line: int = 5, **changes: Any) -> Launch:
    values: dict[str, Any] = {
        "op": "aten.mul.Tensor", "device": "sim:0", "stream": 0, "kernels": 1, "bytes": 64, "flops": 8, "at_us": at,
        "start_us": start, "end_us": end, "file": "train.py", "line": line, "source": "x = x * 0.5",
    }  # fmt: skip
    return Launch(**(values | changes))


def loop(turns: int = 7) -> MadeTrace:
    """A loop that reads a value every turn: launch at 0, 20, 40 ..., wait of 12 us, all but the first drained."""
    trace = MadeTrace(device=Device())  # type: ignore[arg-type]
    trace.copies.append(copy())
    for turn in range(turns):
        at = 30.0 + 20.0 * turn
        trace.launches.append(launch(at, at + 5, at + 8))
        trace.waits.append(wait(at_us=at + 8, drained=turn > 0))
    trace.host_us = trace.elapsed_us = 30.0 + 20.0 * turns
    trace.device_us = 3.0 * turns
    return trace
