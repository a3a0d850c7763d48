"""``torch.sim``: what ``torch.get_device_module("sim")`` returns, named as in ``torch.cuda``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from syncpoint.sim import guards
from syncpoint.sim.accounts import (
    OutOfMemoryError,
    empty_cache,
    get_device_properties,
    max_memory_allocated,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_reserved,
    memory_snapshot,
    memory_stats,
    memory_summary,
    reset_peak_memory_stats,
)
from syncpoint.sim.graphs import Graph, graph, is_current_stream_capturing, make_graphed_callables
from syncpoint.sim.machine import machine
from syncpoint.sim.streams import Event, Stream, current_stream, default_stream, set_stream, stream

__all__ = [
    "clock_us", "current_device", "device", "device_count", "get_device_capability", "get_device_name", "get_rng_state",
    "get_rng_state_all", "init", "initial_seed", "is_available", "is_initialized", "manual_seed", "manual_seed_all",
    "seed", "set_device", "set_rng_state", "synchronize", "get_amp_supported_dtype", "Event", "Stream",
    "current_stream", "default_stream", "set_stream", "stream", "OutOfMemoryError", "empty_cache",
    "get_device_properties", "max_memory_allocated", "max_memory_reserved", "mem_get_info", "memory_allocated",
    "memory_reserved", "memory_snapshot", "memory_stats", "memory_summary", "reset_peak_memory_stats",
    "get_sync_debug_mode", "set_sync_debug_mode", "sleep", "Graph", "graph", "is_current_stream_capturing",
    "make_graphed_callables", "nvtx",
]  # fmt: skip

Device = Any  # torch.device, "sim:1", 1 or None for the current device


def _index(which: Device = None) -> int:
    if which is None:
        return machine.current_device
    if isinstance(which, int):
        return machine.index(which)
    if torch.device(which).type != "sim":
        raise ValueError(f"expected a sim device, but got {which}")
    return machine.index(torch.device(which).index)


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return True


def init() -> None:
    """Nothing to do: the device is ready once it is registered."""


def _is_in_bad_fork() -> bool:
    return machine.bad_fork


def device_count() -> int:
    return machine.devices


def current_device() -> int:
    return machine.current_device


def set_device(device: Device) -> None:
    """Make a device the current one: ``"sim"`` without a number means it."""
    _make_current(_index(device))


@contextmanager
def device(which: Device) -> Iterator[None]:
    """A block in which another device is the current one."""
    before = machine.current_device
    _make_current(_index(which))
    try:
        yield
    finally:
        machine.current_device = before


def _make_current(index: int) -> None:
    if index:
        from syncpoint.sim import patches

        patches.follow_current_device()
    machine.current_device = index


def get_device_name(device: Device = None) -> str:
    """The chip that the device simulates, for example ``"sim (T4)"``."""
    _index(device)
    return f"sim ({machine.chip.name})"


def get_device_capability(device: Device = None) -> tuple[int, int]:
    """There is no compute capability to speak of: (0, 0)."""
    _index(device)
    return (0, 0)


def get_amp_supported_dtype() -> list[torch.dtype]:
    """The dtypes that autocast may choose."""
    return [torch.float16, torch.bfloat16]


def synchronize(device: Device = None) -> None:
    """Wait until everything on a device is done."""
    index = _index(device)
    machine.wait("synchronize", index, machine.clock.device_end_us(index), machine.streams(index))


def clock_us() -> float:
    """The host's virtual time in microseconds since the simulator was set up or its chip changed."""
    return machine.clock.host_us


# Random numbers come from PyTorch's CPU generator: the same seed gives the same values as on the CPU (not as on CUDA).


def manual_seed(seed: int) -> None:
    torch.default_generator.manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    manual_seed(seed)


def seed() -> int:
    return torch.default_generator.seed()


def initial_seed() -> int:
    return torch.default_generator.initial_seed()


def get_rng_state(device: Device = "sim") -> torch.Tensor:
    """The generator's state, a CPU byte tensor."""
    _index(device)
    return torch.default_generator.get_state()


def get_rng_state_all() -> list[torch.Tensor]:
    return [get_rng_state(index) for index in range(machine.devices)]


def set_rng_state(new_state: torch.Tensor, device: Device = "sim") -> None:
    _index(device)
    torch.default_generator.set_state(new_state)


class nvtx:
    """Names for stretches of a profile: accepted, for programs that use them, and without effect."""

    _depth = 0

    @classmethod
    def range_push(cls, msg: str) -> int:
        cls._depth += 1
        return cls._depth - 1

    @classmethod
    def range_pop(cls) -> int:
        cls._depth -= 1
        return cls._depth

    @classmethod
    @contextmanager
    def range(cls, msg: str) -> Iterator[None]:
        cls.range_push(msg)
        try:
            yield
        finally:
            cls.range_pop()


_MODES = {"default": 0, "warn": 1, "error": 2}


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """As ``torch.cuda.set_sync_debug_mode``: 0 or "default", 1 or "warn", 2 or "error", for all threads.

    Like CUDA's it does not see ``synchronize()`` of a device or an event; ``syncpoint.guard`` does.
    """
    mode = _MODES.get(debug_mode, -1) if isinstance(debug_mode, str) else debug_mode
    if mode not in (0, 1, 2):
        raise ValueError(f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, got {debug_mode!r}")
    guards.debug_mode = mode


def get_sync_debug_mode() -> int:
    return guards.debug_mode


def sleep(us: float, device: Device = None) -> None:
    """A kernel that does nothing for a number of virtual microseconds, on the current stream: for tests."""
    index = _index(device)
    machine.begin("sleep", index)
    machine.occupy("sleep", index, float(us))
