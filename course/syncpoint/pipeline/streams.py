"""Streams of any device, asked for in one way: cuda and sim have them, cpu and mps get a stand-in.

A stream is a queue of work on a device. On a device whose work is done when the call returns (cpu), or that has one
queue only (mps), :class:`HostStream` stands where a stream is asked for, and waiting for it is nothing.

What it does not do: choose devices, or make a copy ``non_blocking`` between host and device.

>>> stream = new_stream(torch.device("cpu"))
>>> with use_stream(stream):
...     x = torch.ones(3)
>>> wait_stream(current_stream(torch.device("cpu")), stream)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

__all__ = ["HostStream", "current_stream", "device_of", "new_stream", "record_stream", "use_stream", "wait_stream"]


@dataclass(frozen=True)
class HostStream:
    """The stand-in on a device without streams."""

    device: torch.device


Stream = Any  # HostStream, torch.cuda.Stream, torch.sim.Stream ...


def _module(device: torch.device) -> ModuleType | None:
    """The device's module if it has streams. (``torch.cpu`` has names for them, and nothing behind the names.)"""
    module = torch.get_device_module(device)
    known = all(hasattr(module, name) for name in ("Stream", "stream", "current_stream"))
    return module if device.type != "cpu" and known else None


def new_stream(device: torch.device) -> Stream:
    """A stream of its own."""
    module = _module(device)
    return HostStream(device) if module is None else module.Stream(device=device)


def current_stream(device: torch.device) -> Stream:
    """The stream that this thread's operators on the device go to."""
    module = _module(device)
    return HostStream(device) if module is None else module.current_stream(device)


def device_of(stream: Stream) -> torch.device:
    device: torch.device = stream.device
    return device


@contextmanager
def use_stream(stream: Stream) -> Iterator[None]:
    """A block in which a stream is the current one of its device."""
    module = _module(device_of(stream))
    if module is None:
        yield
        return
    with module.stream(stream):
        yield


def wait_stream(waiting: Stream, other: Stream) -> None:
    """What ``waiting`` is given next starts after all that is now on ``other``. The host goes on, if it can."""
    if isinstance(other, HostStream):
        return
    if isinstance(waiting, HostStream):
        other.synchronize()  # the host itself is what has to wait
    else:
        waiting.wait_stream(other)


def record_stream(tensor: Tensor, stream: Stream) -> None:
    """Tell the allocator that a stream uses a tensor that another one made: its memory is kept until it has."""
    if not isinstance(stream, HostStream) and tensor.device == device_of(stream):
        tensor.record_stream(stream)
