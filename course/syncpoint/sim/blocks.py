"""The memory behind tensors: who owns it, who touched it, and what a racy reader gets to see.

Every ``sim`` storage, and every pinned one of the host, has a :class:`~syncpoint.sim.races.Block`, kept as an attribute
of the storage object (PyTorch keeps that object as long as the memory lives). When the memory goes, the books of its
device are corrected and, while accesses are followed, a use by another stream that is not finished is a race.

Poison: a read that races with an unfinished write sees bytes of all ones (floats: NaN; whole numbers: -1), and so does
everything that had read memory which was overwritten or freed too early. On hardware the values would be stale, new or
garbage, by luck; here they are wrong every time.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import NamedTuple

import torch

from syncpoint.sim import lines
from syncpoint.sim.machine import machine
from syncpoint.sim.memory import Memory, OutOfMemory
from syncpoint.sim.races import HOST, Access, Block, Race

Tensor = torch.Tensor


class _Watch(weakref.ref):
    """Tells when a storage is gone."""

    __slots__ = ("block", "memory")
    block: Block
    memory: Memory | None


_watches: set[_Watch] = set()


def _gone(watch: _Watch) -> None:
    _watches.discard(watch)
    block = watch.block
    if watch.memory is not None:
        watch.memory.free(block.nbytes)
    block.alive = False
    if machine.following and block.epoch == machine.epoch and block.home != HOST:
        report(machine.detector.free(block, machine.detector.mark(block.home, "free", *_place())))


def free_what_is_gone() -> None:
    """Correct the books of storages whose `_gone` was interrupted (Ctrl-C) before it began."""
    for watch in [watch for watch in _watches if watch() is None]:
        _gone(watch)


def _place() -> tuple[str, int, str]:
    file, line = lines.where() if machine.logs else ("", 0)
    return file, line, lines.source(file, line)


def _watch(tensor: Tensor, block: Block, memory: Memory | None) -> Block:
    storage = tensor.untyped_storage()
    storage._sim_block = block  # type: ignore[attr-defined]
    watch = _Watch(storage, _gone)
    watch.block, watch.memory = block, memory
    _watches.add(watch)
    return block


def register(tensor: Tensor, device: int) -> Block:
    """A new ``sim`` storage: book its bytes and note who fills it. Raises torch.OutOfMemoryError."""
    if not machine.chip.float64 and tensor.dtype in (torch.float64, torch.complex128):
        raise TypeError(
            f"Cannot convert a sim tensor to {tensor.dtype}: the {machine.chip.name} does not support it, as MPS does "
            "not. Please use float32 instead."
        )
    storage = tensor.untyped_storage()
    nbytes = storage.nbytes()
    memory = machine.memories[device] if device < len(machine.memories) else machine.memories[0]
    try:
        memory.allocate(nbytes, device)
    except OutOfMemory as error:
        raise torch.OutOfMemoryError(str(error)) from None
    current = machine.current
    home = current.agent if current.agent[0] == device else (device, machine.stream(device))
    block = Block(storage.data_ptr(), nbytes, device, home, current)
    block.epoch = machine.epoch
    if tensor.dtype is torch.bool:
        block.truth = True
    if machine.following:
        _wrote(current, block)
    return _watch(tensor, block, memory)


def check_memory(nbytes: int, device: int) -> None:
    """Raise torch.OutOfMemoryError before an allocation of the device's size would really be tried on the host."""
    try:
        machine.memories[device].check(nbytes, device)
    except OutOfMemory as error:
        raise torch.OutOfMemoryError(str(error)) from None


def register_pinned(tensor: Tensor) -> None:
    """A new pinned storage of the host."""
    storage = tensor.untyped_storage()
    block = Block(storage.data_ptr(), storage.nbytes(), -1, HOST)
    block.epoch, block.truth = machine.epoch, tensor.dtype is torch.bool
    _watch(tensor, block, None)


def alive() -> list[Block]:
    """Every block of device memory that a tensor holds."""
    return [watch.block for watch in _watches if watch.memory is not None and watch.memory in machine.memories]


def block_of(tensor: Tensor) -> Block | None:
    """The block behind a tensor, without the accesses of an earlier machine; None for ordinary host memory."""
    block: Block | None = getattr(tensor.untyped_storage(), "_sim_block", None)
    if block is not None and block.epoch != machine.epoch:
        block.epoch, block.spans, block.first_write = machine.epoch, None, None
        block.used_by = frozenset()
    return block


def _range(tensor: Tensor) -> tuple[int, int]:
    """First and last byte of a view within its storage."""
    size = tensor.element_size()
    start = int(tensor.storage_offset()) * size
    if not tensor.numel():
        return start, start
    reach = sum((n - 1) * stride for n, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return start, start + (reach + 1) * size


def _wrote(access: Access, block: Block) -> None:
    if access.written is None:
        access.written = []
    access.written.append(block)


def touch(tensor: Tensor, access: Access, write: bool) -> bool:
    """Note that an operation reads or writes a tensor; returns whether that is a race."""
    block = block_of(tensor)
    if block is None:
        return False
    if not machine.following:
        if write:
            block.first_write = access
        return False
    start, end = _range(tensor)
    races = machine.detector.access(block, start, end, access, write)
    if write:
        _wrote(access, block)
    report(races)
    return bool(races)


def host_touch(tensor: Tensor, op: str, write: bool) -> None:
    """The host itself reads or writes pinned memory."""
    block = block_of(tensor)
    if block is None or block.home != HOST or not machine.following:
        return
    access = machine.detector.launch(HOST, op, *_place())
    report(machine.detector.access(block, *_range(tensor), access, write))


def report(races: list[Race]) -> None:
    """Tell the traces, and let the damage show."""
    if not races:
        return
    machine.report_races(races)
    if not machine.poison:
        return
    for race in races:
        spoiled = race.kind.startswith(("written while", "freed"))
        for block in (race.first.written or ()) if spoiled else ():
            if block.alive:
                ctypes.memset(block.address, 1 if block.truth else 0xFF, block.nbytes)


def poisoned(twin: Tensor) -> Tensor:
    """What a racy reader sees instead of a tensor's values."""
    return fill_poison(torch.empty_like(twin))


def fill_poison(tensor: Tensor) -> Tensor:
    """All bits one: NaN, -1, or True."""
    if tensor.dtype is torch.bool:
        return tensor.fill_(True)
    if tensor.numel():
        tensor.untyped_storage().fill_(0xFF)  # type: ignore[attr-defined]
    return tensor


# ---- non-blocking copies to pinned memory: the bytes arrive when the host has waited for them ------------------------


class _Pending(NamedTuple):
    access: Access
    block: Block | None
    target: Tensor
    values: Tensor


_pending: list[_Pending] = []
_MOST_PENDING = 4096


def arrive_later(target: Tensor, values: Tensor, access: Access) -> None:
    """The copy is in flight: until the host has waited for its stream, ``target`` keeps what it holds now."""
    if not machine.poison:
        target.copy_(values)
        return
    _pending.append(_Pending(access, block_of(target), target, values.clone()))
    if len(_pending) > _MOST_PENDING:  # nobody will ask for the oldest any more
        _deliver(_pending.pop(0))


def _deliver(copy: _Pending) -> None:
    """The link's work, not the host's: a trace that is open must not charge it to the host."""
    with torch._C._DisableTorchDispatch():
        copy.target.copy_(copy.values)


def _arrive() -> None:
    seen = machine.detector.order.seen[HOST]
    waiting = []
    for copy in _pending:
        if seen.get(copy.access.agent, 0) >= copy.access.number:
            _deliver(copy)
        else:
            waiting.append(copy)
    _pending[:] = waiting


def arrive_for(source: Tensor, access: Access) -> None:
    """A stream reads pinned memory: what was copied there before, in the stream's order, is there."""
    block = block_of(source)
    for copy in [c for c in _pending if c.block is block and block is not None]:
        if machine.detector.order.is_after(access.agent, copy.access):
            _deliver(copy)
            _pending.remove(copy)


def settle() -> None:
    """Let all copies arrive: the machine is about to be set up anew."""
    for copy in _pending:
        _deliver(copy)
    _pending.clear()


machine.on_progress = _arrive
