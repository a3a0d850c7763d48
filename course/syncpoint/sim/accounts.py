"""Memory questions asked of ``torch.sim``, named as in ``torch.cuda``: how much is in use, what was the most.

All figures are bytes of the simulated device, not of this computer. See ``memory.py`` for what is modelled.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import torch

from syncpoint.sim import blocks
from syncpoint.sim.machine import machine
from syncpoint.sim.memory import Memory, human, rounded

__all__ = [
    "OutOfMemoryError", "empty_cache", "get_device_properties", "max_memory_allocated", "max_memory_reserved",
    "mem_get_info", "memory_allocated", "memory_reserved", "memory_snapshot", "memory_stats", "memory_summary",
    "reset_peak_memory_stats",
]  # fmt: skip

OutOfMemoryError = torch.OutOfMemoryError


def _memory(device: Any) -> Memory:
    from syncpoint.sim.module import _index

    return machine.memories[_index(device)]


def memory_allocated(device: Any = None) -> int:
    """Bytes in tensors, each rounded up to 512."""
    return _memory(device).allocated


def max_memory_allocated(device: Any = None) -> int:
    """The most that was allocated since the start or the last ``reset_peak_memory_stats``."""
    return _memory(device).peak_allocated


def memory_reserved(device: Any = None) -> int:
    """Bytes that the allocator holds, in tensors or ready for the next ones."""
    return _memory(device).reserved


def max_memory_reserved(device: Any = None) -> int:
    return _memory(device).peak_reserved


def reset_peak_memory_stats(device: Any = None) -> None:
    _memory(device).reset_peak()


def memory_stats(device: Any = None) -> dict[str, int]:
    """The figures under the names of ``torch.cuda.memory_stats``."""
    return _memory(device).stats()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Bytes that are free on the device, and all that it has."""
    memory = _memory(device)
    return memory.capacity - memory.reserved, memory.capacity


def empty_cache() -> None:
    """Give reserved memory that no tensor uses back. As cudaFree does, it waits for the device."""
    for index, memory in enumerate(machine.memories):
        if memory.reserved > memory.allocated:
            end = machine.clock.device_end_us(index)
            if end > machine.clock.host_us:
                machine.clock.wait_until(end, machine.chip.host.wait_us)
        memory.empty_cache()


class DeviceProperties:
    """What ``torch.cuda.get_device_properties`` tells, as far as a simulated chip has it."""

    def __init__(self, index: int) -> None:
        self.name = f"sim ({machine.chip.name})"
        self.total_memory = machine.memories[index].capacity
        self.L2_cache_size = machine.chip.l2_bytes
        self.major, self.minor = 0, 0

    def __repr__(self) -> str:
        return f"DeviceProperties(name={self.name!r}, total_memory={human(self.total_memory)})"


def get_device_properties(device: Any = None) -> DeviceProperties:
    from syncpoint.sim.module import _index

    return DeviceProperties(_index(device))


def memory_summary(device: Any = None) -> str:
    """The figures as a table in words."""
    memory = _memory(device)
    rows = [
        ("allocated", memory.allocated, memory.peak_allocated),
        ("reserved", memory.reserved, memory.peak_reserved),
    ]
    lines = [f"{'simulated device memory':26}{'now':>14}{'at most':>14}"]
    lines += [f"{name:26}{human(now):>14}{human(peak):>14}" for name, now, peak in rows]
    lines.append(f"{'blocks':26}{memory.blocks:>14}{memory.allocations:>14} ever")
    lines.append(f"{'capacity':26}{human(memory.capacity):>14}")
    return "\n".join(lines)


def memory_snapshot(path: str | Path | None = None) -> dict[str, Any]:
    """What stands in memory now, in the form that https://pytorch.org/memory_viz opens; written to a file if asked.

    Each block is shown in a segment of its own, with the line of code that filled it where a trace was open.
    """
    segments = []
    for block in sorted(blocks.alive(), key=lambda b: (b.device, b.address)):
        size = rounded(block.nbytes)
        frames = []
        if block.first_write is not None and block.first_write.line:
            place = block.first_write
            frames = [{"filename": place.file, "line": place.line, "name": place.op}]
        entry = {"address": block.address, "size": size, "requested_size": block.nbytes, "state": "active_allocated",
                 "frames": frames}  # fmt: skip
        segments.append(
            {"device": block.device, "address": block.address, "total_size": size, "allocated_size": size,
             "active_size": size, "requested_size": block.nbytes, "stream": block.home[1], "segment_type": "large",
             "segment_pool_id": (0, 0), "is_expandable": False, "frames": frames, "blocks": [entry]}
        )  # fmt: skip
    snapshot = {"segments": segments, "device_traces": [[] for _ in machine.memories], "allocator_settings": {}}
    if path is not None:
        Path(path).write_bytes(pickle.dumps(snapshot))
    return snapshot
