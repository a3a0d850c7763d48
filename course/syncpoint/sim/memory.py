"""Device memory by numbers: allocated, reserved, peak, and the error when there is no more. Plain Python, no torch.

Sizes are rounded up to 512 bytes as by PyTorch's caching allocator. ``reserved`` is what the allocator has taken from
the device: small requests (up to 1 MiB) share segments of 2 MiB, middle ones (up to 10 MiB) segments of 20 MiB, larger
ones get segments of their own, rounded to 2 MiB; it grows to the highest need of each pool and shrinks by
``empty_cache``. Not modelled: fragmentation, so a real allocator may reserve more.

>>> memory = Memory(capacity=1 << 30)
>>> memory.allocate(1000)
>>> memory.allocated, memory.reserved
(1024, 2097152)
"""

from __future__ import annotations

from dataclasses import dataclass, field

_MIB = 1 << 20
_SEGMENT = {"small": 2 * _MIB, "middle": 20 * _MIB, "large": 2 * _MIB}


def rounded(nbytes: int) -> int:
    """What a request takes: the next multiple of 512 bytes, at least one."""
    return max(512, -(-nbytes // 512) * 512)


def human(nbytes: float) -> str:
    """ "1.50 GiB", as in CUDA's messages."""
    for unit, size in (("GiB", 1 << 30), ("MiB", _MIB), ("KiB", 1 << 10)):
        if nbytes >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{int(nbytes)} bytes"


class OutOfMemory(MemoryError):
    """Raised by :meth:`Memory.allocate`; the backend turns it into ``torch.OutOfMemoryError``."""


def _pool(nbytes: int) -> str:
    return "small" if nbytes <= _MIB else "middle" if nbytes < 10 * _MIB else "large"


@dataclass(eq=False)
class Memory:
    """The books of one device, in bytes."""

    capacity: int
    allocated: int = 0
    peak_allocated: int = 0
    peak_reserved: int = 0
    blocks: int = 0
    allocations: int = 0  # ever
    in_pool: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SEGMENT, 0))
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SEGMENT, 0))  # reserved, by pool

    @property
    def reserved(self) -> int:
        return sum(self.held.values())

    def allocate(self, nbytes: int, device: int = 0) -> None:
        """Take memory; raises :class:`OutOfMemory` when the device has not as much."""
        size = -(-nbytes // 512) * 512 or 512  # rounded(), without the call: every result of an operator comes by
        if self.allocated + size > self.capacity:
            self.check(nbytes, device)
        pool = "small" if size <= _MIB else _pool(size)
        self.allocated += size
        self.blocks += 1
        self.allocations += 1
        self.in_pool[pool] += size
        if self.in_pool[pool] > self.held[pool]:
            self.held[pool] = -(-self.in_pool[pool] // _SEGMENT[pool]) * _SEGMENT[pool]
            self.peak_reserved = max(self.peak_reserved, self.reserved)
        if self.allocated > self.peak_allocated:
            self.peak_allocated = self.allocated

    def check(self, nbytes: int, device: int = 0) -> None:
        """Raise :class:`OutOfMemory` when a request would not fit."""
        size = rounded(nbytes)
        if self.allocated + size > self.capacity:
            free, idle = self.capacity - self.allocated, max(self.reserved - self.allocated, 0)
            raise OutOfMemory(
                f"sim out of memory. Tried to allocate {human(size)}. sim:{device} has a total capacity of "
                f"{human(self.capacity)} of which {human(free)} is free. Of the allocated memory "
                f"{human(self.allocated)} is allocated by PyTorch, and {human(idle)} is reserved by PyTorch but "
                "unallocated. Delete tensors that are no longer needed, or use a smaller batch."
            )

    def free(self, nbytes: int) -> None:
        size = rounded(nbytes)
        self.allocated -= size
        self.blocks -= 1
        self.in_pool[_pool(size)] -= size

    def empty_cache(self) -> None:
        """Give reserved memory that nobody uses back to the device."""
        for pool, segment in _SEGMENT.items():
            self.held[pool] = -(-self.in_pool[pool] // segment) * segment

    def reset_peak(self) -> None:
        self.peak_allocated, self.peak_reserved = self.allocated, self.reserved

    def stats(self) -> dict[str, int]:
        """The figures under the names of ``torch.cuda.memory_stats``."""
        return {
            "allocated_bytes.all.current": self.allocated,
            "allocated_bytes.all.peak": self.peak_allocated,
            "allocation.all.current": self.blocks,
            "allocation.all.allocated": self.allocations,
            "reserved_bytes.all.current": self.reserved,
            "reserved_bytes.all.peak": self.peak_reserved,
        }
