"""Copies: host to device, device to host, device to device, and pinned memory.

What CUDA does (PyTorch's ``aten/src/ATen/native/cuda/Copy.cu``): a copy that is not ``non_blocking`` ends in a stream
synchronisation. A dtype change or a strided layout needs a contiguous temporary on the source's side: on the host it
is pageable, so a strided view of pinned memory is no longer pinned; on the device it costs one kernel. ``non_blocking``
to the host gives a pinned result.

A non-blocking copy to pinned memory is in flight until the host has waited for it: ``blocks.py``.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import torch

from syncpoint.sim import blocks, cost
from syncpoint.sim.dispatch import on_device, twin
from syncpoint.sim.launches import foreach_kernels
from syncpoint.sim.machine import Machine, machine
from syncpoint.sim.races import Access

if TYPE_CHECKING:
    from syncpoint.sim.graphs import Graph

Tensor = torch.Tensor


def is_pinned(tensor: Tensor, device: Any = None) -> bool:
    """Whether a CPU tensor lies in memory that ``pin_memory`` gave."""
    return getattr(tensor.untyped_storage(), "_sim_pinned", False)


def mark_pinned(tensor: Tensor) -> Tensor:
    """Storage objects live as long as their memory, so the mark holds for every view."""
    if not is_pinned(tensor):
        tensor.untyped_storage()._sim_pinned = True  # type: ignore[attr-defined]
        blocks.register_pinned(tensor)
    return tensor


def pin(tensor: Tensor, device: Any = None) -> Tensor:
    """A pinned copy of a CPU tensor, or the tensor itself when it is pinned already."""
    if tensor.device.type != "cpu":
        raise RuntimeError(f"cannot pin '{tensor.type()}' only dense CPU tensors can be pinned")
    if is_pinned(tensor):
        return tensor
    if not machine.chip.pinned:
        warnings.warn(f"the {machine.chip.name} has no pinned memory: the tensor stays as it is", stacklevel=2)
        return tensor
    machine.pin(tensor.nbytes)
    return mark_pinned(tensor.clone(memory_format=torch.contiguous_format))


def _is_dense(tensor: Tensor) -> bool:
    """Whether the elements fill their memory without holes, in whatever order of dimensions."""
    if tensor.is_contiguous():
        return True
    expected = 1
    for stride, size in sorted((st, sz) for st, sz in zip(tensor.stride(), tensor.shape, strict=True) if sz != 1):
        if stride != expected:
            return False
        expected *= size
    return True


def to_copy(
    tensor: Tensor, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None,
    non_blocking: bool = False, memory_format: Any = None,
) -> Tensor:  # fmt: skip
    """``aten::_to_copy``: what ``.to(...)``, ``.cpu()``, ``.float()`` come down to when something must change."""
    if layout not in (None, torch.strided):
        raise RuntimeError(f"sim has dense tensors only: the layout {layout} is not supported")
    target = tensor.device if device is None else torch.device(device)
    to_host = target.type == "cpu"
    index = machine.index(tensor.get_device() if to_host else target.index)
    access = _begin("aten._to_copy", tensor, index)
    values = _source(tensor, access, non_blocking)
    keep = torch.preserve_format if memory_format is None else memory_format
    result = values.to(dtype=dtype or values.dtype, memory_format=keep, copy=True)
    if to_host:
        if machine.capture is not None:
            _capture(lambda: result.copy_(values), [], [result])
        elif non_blocking:
            _to_pinned(mark_pinned(result), result.clone(), access, fresh=True)
        account_copy(machine, tensor, result, non_blocking, True)
        return result
    if machine.capture is not None:
        _capture(lambda: result.copy_(values), [], [result])
    out = on_device(result, index)
    account_copy(machine, tensor, out, non_blocking, True)
    return out


def copy_(target: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """``aten::copy_``: the values of ``source``, converted and broadcast, into ``target``."""
    to_sim = target.device.type == "sim"
    access = _begin("aten.copy_", source, target.get_device() if to_sim else source.get_device())
    values = _source(source, access, non_blocking)
    if to_sim:
        blocks.touch(target, access, True)
        into = twin(target)
        if machine.capture is not None:
            _capture(lambda: into.copy_(values), [into], [])
        into.copy_(values)
    elif machine.capture is not None:
        _capture(lambda: target.copy_(values), [target], [])
    elif non_blocking and is_pinned(target):
        _to_pinned(target, values.expand_as(target), access, fresh=False)
    else:
        target.copy_(values)
    account_copy(machine, source, target, non_blocking, False)
    return target


def _begin(op: str, source: Tensor, index: int) -> Access:
    """A copy runs on its target's device; one between devices on the source's, after what the target's stream has."""
    if source.device.type != "sim" or source.get_device() == index:
        return machine.begin(op, index)
    access = machine.begin(op, source.get_device())
    machine.join_streams(source.get_device(), index)
    return access


def _capture(again: Callable[[], Any], writes: list[Tensor], made: list[Tensor]) -> None:
    graph = cast("Graph", machine.capture)
    graph.will_write(writes)
    graph.node(again, made)


def _source(tensor: Tensor, access: Access, non_blocking: bool) -> Tensor:
    """The values that a copy reads, as its stream finds them: poison when the read is a race."""
    if tensor.device.type == "sim":
        raced = machine.following and blocks.touch(tensor, access, False)
        return blocks.poisoned(twin(tensor)) if raced and machine.poison else twin(tensor)
    if is_pinned(tensor):
        if non_blocking:
            machine.follow()
        blocks.arrive_for(tensor, access)
        blocks.touch(tensor, access, False)
    return tensor


def _to_pinned(target: Tensor, values: Tensor, access: Access, fresh: bool) -> None:
    """A copy to pinned memory that nobody waits for: the bytes are there once the host has waited for the stream."""
    machine.follow()
    blocks.touch(target, access, True)
    if fresh and machine.poison:
        blocks.fill_poison(target)
    blocks.arrive_later(target, values, access)


def copy_from(source: Tensor, target: Tensor, non_blocking: bool = False) -> Tensor:
    """``aten::_copy_from``: the same, as PyTorch's C++ asks for it."""
    return copy_(target, source, non_blocking)


def foreach_copy_(targets: list[Tensor], sources: list[Tensor], non_blocking: bool = False) -> None:
    """``aten::_foreach_copy_``: one multi-tensor kernel within a device; otherwise one copy after another."""
    if any(t.device != s.device for t, s in zip(targets, sources, strict=True)):
        for target, source in zip(targets, sources, strict=True):
            copy_(target, source, non_blocking)
        return
    access = machine.begin("aten._foreach_copy_", targets[0].get_device())
    for target, source in zip(targets, sources, strict=True):
        values, into = _source(source, access, False), twin(target)
        blocks.touch(target, access, True)
        if machine.capture is not None:
            _capture(functools.partial(into.copy_, values), [into], [])
        into.copy_(values)
    kernels = foreach_kernels((targets, sources), {}, None)
    nbytes = sum(t.nbytes + s.nbytes for t, s in zip(targets, sources, strict=True))
    machine.kernel("aten._foreach_copy_", targets[0].get_device(), kernels, False, nbytes, 0, "float32")


def account_copy(
    on: Machine, source: Tensor, target: Tensor, non_blocking: bool, fresh: bool, device_type: str = "sim"
) -> None:
    """Tell a machine of one copy. ``fresh``: the target was made for it (``.to``), not given (``copy_``)."""
    from_device, to_device = source.device.type == device_type, target.device.type == device_type
    op = "aten._to_copy" if fresh else "aten.copy_"
    if from_device and to_device:
        _within_or_between(on, op, source, target)
    elif to_device:
        _to_device(on, op, source, target, non_blocking)
    else:
        index = source.get_device()
        if not _is_dense(source) or source.shape != target.shape:
            _pack(on, source, index)
        pinned = non_blocking if fresh else is_pinned(target)
        on.copy(op, "D2H", index, source.nbytes, pinned=pinned, non_blocking=non_blocking)


def _to_device(on: Machine, op: str, source: Tensor, target: Tensor, non_blocking: bool) -> None:
    index = target.get_device()
    converts = source.dtype != target.dtype
    plain = _is_dense(source) and source.shape == target.shape
    on_the_device = converts and non_blocking and plain  # moved as it is, converted there
    pinned = is_pinned(source) and plain and (not converts or on_the_device)
    nbytes = source.nbytes if on_the_device else target.nbytes
    if not plain or (converts and not on_the_device):  # the host makes the contiguous temporary first
        on.clock.host_us += cost.host_op_us(on.chip, source.nbytes + target.nbytes)
    on.copy(op, "H2D", index, nbytes, pinned=pinned, non_blocking=non_blocking)
    if on_the_device or not _is_dense(target):
        _pack(on, target, index)


def _within_or_between(on: Machine, op: str, source: Tensor, target: Tensor) -> None:
    index = max(target.get_device(), 0)
    if source.device != target.device:
        on.copy_between(op, max(source.get_device(), 0), index, target.nbytes)
        return
    same = source.dtype == target.dtype and source.shape == target.shape and source.stride() == target.stride()
    kernels = 0 if same and _is_dense(source) else 1  # 0: a plain copy of the device's own memory
    on.kernel(op, index, kernels, False, source.nbytes + target.nbytes, 0, "float32")


def _pack(on: Machine, tensor: Tensor, index: int) -> None:
    """The kernel that gathers a strided tensor into a contiguous temporary, or spreads it out."""
    on.kernel("aten.copy_", index, 1, False, 2 * tensor.nbytes, 0, "float32")
