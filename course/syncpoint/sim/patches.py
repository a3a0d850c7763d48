"""Places where PyTorch's Python or C++ treats an out-of-tree device otherwise than CUDA, and the cure of each.

Each function names what CUDA does. They act on ``sim`` tensors only, except where said.
"""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch.utils._device import _device_constructors

from syncpoint.sim import copies, module
from syncpoint.sim.dispatch import on_device, twin
from syncpoint.sim.machine import machine

Tensor = torch.Tensor


def apply() -> None:
    """Install all patches, once a process."""
    torch.autograd.set_multithreading_enabled(False)
    torch.__future__.set_swap_module_params_on_conversion(True)
    Tensor.__setitem__ = _setitem(Tensor.__setitem__)  # type: ignore[method-assign]
    torch.UntypedStorage.__new__ = _new_storage(torch.UntypedStorage.__new__)  # type: ignore[method-assign]
    torch.UntypedStorage.resize_ = _resize_storage(torch.UntypedStorage.resize_)  # type: ignore[method-assign]
    for name in ("backward", "grad"):
        setattr(torch.autograd, name, _in_calling_thread(getattr(torch.autograd, name)))
    _device_constructors()  # remembers the originals, so that `with torch.device(...)` knows them
    for name in ("empty", "zeros", "ones", "full", "rand", "randn", "empty_strided", "tensor"):
        setattr(torch, name, _pinned_factory(getattr(torch, name)))
    torch.accelerator.synchronize = _synchronize(torch.accelerator.synchronize)


def _setitem(original: Any) -> Any:
    """CUDA makes a Python scalar in ``x[...] = 1.5`` a CPU tensor; PyTorch's C++ does so only where ``is_cuda``."""

    @functools.wraps(original)
    def setitem(self: Tensor, key: Any, value: Any) -> None:
        if type(value) in (int, float, bool, complex) and self.device.type == "sim":
            value = torch.tensor(value, dtype=self.dtype)
        original(self, key, value)

    return setitem


def _new_storage(original: Any) -> Any:
    """``torch.UntypedStorage(n, device="sim")`` (deepcopy, torch.load) has no C++ allocator to call."""

    @functools.wraps(original)
    def new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        device = kwargs.get("device")
        if device is None or torch.device(device).type != "sim":
            return original(cls, *args, **kwargs)
        nbytes = args[0] if args else kwargs.get("size", 0)
        memory = torch.empty(int(nbytes), dtype=torch.uint8)
        fresh = on_device(memory, machine.index(torch.device(device).index))
        return fresh.untyped_storage()

    return new


def _resize_storage(original: Any) -> Any:
    """Changing the size of a storage in place needs an allocator hook that Python can't give."""

    @functools.wraps(original)
    def resize_(self: Any, size: int) -> Any:
        if self.device.type == "sim":
            raise NotImplementedError(
                "sim does not support UntypedStorage.resize_(). Use Tensor.resize_(), or make a new tensor."
            )
        return original(self, size)

    return resize_


def _in_calling_thread(original: Any) -> Any:
    """Backward runs in the thread that asks for it: device threads know device 0 only, and the learner's line
    is then on the stack. The switch is per thread, so it is set at each call."""

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        with torch.autograd.set_multithreading_enabled(False):
            return original(*args, **kwargs)

    return call


def follow_current_device() -> None:
    """``x.to("sim")`` means the current device; PyTorch asks a guard for it that knows device 0 only.

    Installed when a device other than 0 first becomes the current one, so that nobody else pays for it.
    """
    if getattr(Tensor.to, "_follows_current_device", False):
        return
    original = Tensor.to

    @functools.wraps(original)
    def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        asked = args[0] if args else kwargs.get("device")
        if asked == "sim" or (isinstance(asked, torch.device) and asked.type == "sim" and asked.index is None):
            here = torch.device("sim", machine.current_device)
            if args:
                args = (here, *args[1:])
            else:
                kwargs["device"] = here
        return original(self, *args, **kwargs)

    to._follows_current_device = True  # type: ignore[attr-defined]
    Tensor.to = to  # type: ignore[method-assign,assignment]


def _pinned_factory(original: Any) -> Any:
    """``torch.empty(..., pin_memory=True)``: C++ would ask for a pinned allocator that can't be given in Python."""

    @functools.wraps(original)
    def factory(*args: Any, **kwargs: Any) -> Any:
        if not kwargs.get("pin_memory"):
            return original(*args, **kwargs)
        tensor = original(*args, **{**kwargs, "pin_memory": False})
        if tensor.device.type != "cpu":
            raise RuntimeError("Only dense CPU tensors can be pinned")
        machine.pin(tensor.nbytes)
        return copies.mark_pinned(tensor)

    return factory


def _synchronize(original: Any) -> Any:
    """``torch.accelerator.synchronize()`` does not reach a Python device module (pytorch #196299)."""

    @functools.wraps(original)
    def synchronize(device: Any = None, /) -> None:
        module.synchronize(device)

    return synchronize


def resize(tensor: Tensor, size: Any, *, memory_format: Any = None) -> Tensor:
    """``aten::resize_``: other sizes over the same memory, or over new memory that starts with the old bytes."""
    fresh = torch.empty(size, dtype=tensor.dtype, memory_format=memory_format or torch.contiguous_format)
    storage = tensor.untyped_storage()
    if fresh.nbytes + tensor.storage_offset() * tensor.element_size() > storage.nbytes():
        old = twin(tensor).reshape(-1)
        fresh.view(-1)[: old.numel()].copy_(old)
        storage, offset = on_device(fresh, tensor.get_device()).untyped_storage(), 0
    else:
        offset = int(tensor.storage_offset())
    return torch.ops.aten.set_.source_Storage_storage_offset(tensor, storage, offset, list(size), fresh.stride())
