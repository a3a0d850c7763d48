"""What happens to one operator call on a ``sim`` tensor.

Values: every ``sim`` tensor is a plain tensor whose memory is ordinary host memory. Through DLPack the same memory is
looked at as a CPU tensor (its *twin*), PyTorch's CPU kernel runs on the twins, and new results are looked at as
``sim`` tensors in turn. So values are bit-identical to the CPU's.

Accounting: the machine is told what CUDA would have done: launches, hidden waits, bytes, floating-point operations.

What it does not do: copies between devices (``copies.py``) and what PyTorch decides in C++ before a backend is asked.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, cast

import torch

from syncpoint.sim import asserts, blocks, launches, traffic, waits
from syncpoint.sim.machine import machine
from syncpoint.sim.operators import Operator, check_host, two_devices
from syncpoint.sim.races import Access

if TYPE_CHECKING:
    from syncpoint.sim.graphs import Graph

Tensor = torch.Tensor
_to_dlpack: Callable[[Tensor], Any] = torch._C._to_dlpack  # type: ignore[attr-defined]
_from_dlpack: Callable[[Any], Tensor] = torch._C._from_dlpack  # type: ignore[attr-defined]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_device_field = ctypes.c_int64.from_address
_CPU, _EXT_DEV = 1, 12  # kDLCPU and kDLExtDev of dlpack.h: the low half of the field; the high half is the index


def _relabel(tensor: Tensor, field: int) -> Tensor:
    """The same memory under another device: rewrites the device field of the tensor's DLPack capsule."""
    capsule = _to_dlpack(tensor)
    _device_field(_pointer(capsule, b"dltensor") + 8).value = field  # DLTensor: void* data; DLDevice device; ...
    return _from_dlpack(capsule)


def twin(tensor: Tensor) -> Tensor:
    """The CPU tensor over the memory of a ``sim`` tensor."""
    seen = _relabel(tensor, _CPU)
    # conj() and, of a conjugate, imag are views that only carry a mark. DLPack does not carry marks.
    if tensor.is_conj():
        seen = seen.conj()
    return torch._neg_view(seen) if tensor.is_neg() else seen


def on_device(tensor: Tensor, index: int) -> Tensor:
    """The ``sim`` tensor over the memory of a CPU tensor, which from here on is the device's memory."""
    if tensor.is_conj() or tensor.is_neg():  # marked, see twin(): CUDA's copies carry no mark either
        tensor = tensor.resolve_conj().resolve_neg()
    out = _relabel(tensor, index << 32 | _EXT_DEV)
    blocks.register(out, index)
    return out


class _Call:
    """Turns arguments into their CPU twins and results back."""

    __slots__ = ("known", "device", "access", "twins", "twin_of", "bytes", "dtype", "host")

    def __init__(self, known: Operator) -> None:
        self.known = known
        self.device = -1
        self.access: Access | None = None
        self.twins: dict[int, tuple[Tensor, Tensor]] = {}  # id of the twin -> (twin, original)
        self.twin_of: dict[int, Tensor] = {}  # id of the original -> its twin
        self.bytes = 0
        self.dtype: torch.dtype | None = None
        self.host: list[tuple[Tensor, str]] = []

    def begin(self, device: int) -> Access:
        self.device = device
        self.access = machine.begin(self.known.name, device)
        return self.access

    def to_twin(self, value: Any, position: int | str = -1) -> Any:
        kind = type(value)
        if kind is int or kind is float or value is None or kind is bool:
            if position in self.known.tensor_at and value is not None:
                return _Number(value)
            return value
        if isinstance(value, Tensor):
            index = value.get_device()
            if index < 0:
                self.host.append((value, self._name(position)))
                return value
            if index != self.device:
                if self.device >= 0:
                    raise two_devices(self.known, value, self._name(position), f"{value.device.type}:{self.device}")
                self.begin(index)
            seen = self.twin_of.get(id(value))
            relabelled = twin(value) if seen is None else seen
            if position in self.known.writes:
                blocks.touch(value, machine.current, True)
            elif machine.following and blocks.touch(value, machine.current, False) and machine.poison:
                relabelled = blocks.poisoned(relabelled)
            if seen is None:
                self.twins[id(relabelled)] = (relabelled, value)
                self.twin_of[id(value)] = relabelled
            in_place = position == 0 and self.known.updates
            self.bytes += 2 * relabelled.nbytes if in_place else relabelled.nbytes
            if self.dtype is None:
                self.dtype = relabelled.dtype
            return relabelled
        if kind is list or kind is tuple:
            return [self.to_twin(v, position) for v in value]
        if kind is torch.device:
            if value.type == "sim":
                self.begin(machine.index(value.index))
            return torch.device("cpu")
        return value

    def _name(self, position: int | str) -> str:
        names = self.known.names
        if isinstance(position, str):
            return position
        return names[position] if 0 <= position < len(names) else "an argument"

    def from_twin(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            known = self.twins.get(id(value))
            if known is None:
                self.bytes += value.nbytes
                return on_device(value, self.device)
            if value.shape != known[1].shape:  # an out= argument that the operator has resized
                _replace(known[1], value, self.device)
            return known[1]
        if isinstance(value, (list, tuple)):
            return type(value)(self.from_twin(v) for v in value)
        return value


class _Number(float):
    """Marks a Python number that stands where the operator's schema wants a tensor."""

    def __new__(cls, value: float) -> _Number:
        self = super().__new__(cls, value)
        self.value = value
        return self

    value: float


def _numbers_to_tensors(args: list[Any]) -> list[Any]:
    """PyTorch hands Python numbers through to a Python backend (``y % 3``); the CPU operator wants tensors."""
    like = next((a for a in args if isinstance(a, Tensor)), None)

    def convert(number: _Number) -> Tensor:
        dtype = None if like is None else torch.result_type(like, number.value)
        return torch.tensor(number.value, dtype=dtype)

    return [convert(a) if type(a) is _Number else a for a in args]


def _replace(target: Tensor, twin_of_result: Tensor, device: int) -> None:
    """Let a ``sim`` tensor show other memory: what ``resize_`` does where storage could grow."""
    fresh = on_device(twin_of_result, device)
    torch.ops.aten.set_.source_Storage_storage_offset.redispatch(
        _CPU_KEYS, target, fresh.untyped_storage(), fresh.storage_offset(), fresh.shape, fresh.stride()
    )


_CPU_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


def run(known: Operator, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Run one operator on the twins of its arguments and account for it."""
    call = _Call(known)
    to_twin = call.to_twin
    inputs = [to_twin(a, i) for i, a in enumerate(args)]
    options = {name: to_twin(v, name) for name, v in kwargs.items()} if kwargs else {}
    if call.host:
        check_host(known, call.host, call.device)
    if any(type(a) is _Number for a in inputs):
        inputs = _numbers_to_tensors(inputs)
    if options.get("pin_memory"):
        raise RuntimeError("Cannot pin memory of a tensor on sim: only dense CPU tensors can be pinned")
    if call.access is None:
        call.begin(machine.current_device)
    if known.base in _ALLOCATES:
        _check_memory(args[0], kwargs.get("dtype"), call.device)
    rule = known.kernel_rule
    kernels = known.kernels if rule is None else -1
    hidden = known.hidden
    if hidden is not None:
        read_back = [w for w in hidden(args, kwargs) if not _move_over(known, w, call.device)]
    try:
        execute = _execute if machine.capture is None else _capture
        result = execute(known, call, inputs, options)
    except (IndexError, RuntimeError) as error:
        if not known.asserts or "out of" not in str(error):
            raise
        result = asserts.defer(error, known.name, inputs, options, known.op)
    out = call.from_twin(result)
    if rule is not None:
        kernels = rule(args, kwargs, out)
    elif kernels == 1 and hidden is None and isinstance(out, Tensor) and not out.numel():
        kernels = 0  # CUDA launches nothing for an empty result
    if kernels or known.short not in launches.NOTHING:
        flops = 0 if known.flops is None else known.flops(args, out)
        dtype = "float32" if call.dtype is None else _DTYPE_NAMES[call.dtype]
        if known.sparing:
            call.bytes -= traffic.saved(known.base, args, out)
        machine.kernel(known.name, call.device, kernels, known.library, call.bytes, flops, dtype)
    if hidden is not None:
        for wait in read_back:
            machine.read(wait.kind, known.name, call.device, wait.bytes)
    return out


def _capture(known: Operator, call: _Call, inputs: list[Any], options: dict[str, Any]) -> Any:
    """Run an operator for the shapes of its results, and keep how to run it for their values."""
    graph = cast("Graph", machine.capture)
    given: dict[int | str, Any] = dict(enumerate(inputs))
    given.update(options)
    graph.will_write(traffic.tensors(value for place, value in given.items() if place in known.writes))
    result = _execute(known, call, inputs, options)
    made = [t for t in traffic.tensors((result,)) if id(t) not in call.twins]

    def again() -> None:
        fresh = known.op(*inputs, **options)
        for target, values in zip(made, (t for t in traffic.tensors((fresh,)) if id(t) not in call.twins), strict=True):
            target.copy_(values)

    if known.base not in _ALLOCATES:
        graph.node(again, made)
    return result


_ALLOCATES = ("empty", "empty_strided")


def _check_memory(shape: Sequence[int], dtype: torch.dtype | None, device: int) -> None:
    """Out of memory on the device must not become out of memory on this computer."""
    blocks.check_memory(prod(shape) * (dtype or torch.get_default_dtype()).itemsize, device)


def _move_over(known: Operator, wait: waits.Hidden, device: int) -> bool:
    if wait.direction == "H2D":
        machine.copy(known.name, "H2D", device, wait.bytes, pinned=False, non_blocking=False)
        return True
    return False


def _execute(known: Operator, call: _Call, inputs: list[Any], options: dict[str, Any]) -> Any:
    if not known.outs:
        return known.op(*inputs, **options)
    try:
        return known.op(*inputs, **options)
    except RuntimeError as error:
        if "not resizable" not in str(error):
            raise
    # The memory behind an out= argument cannot grow: compute into fresh tensors, from_twin() swaps them in.
    for name in known.outs:
        given = options[name]
        fresh = torch.empty(0, dtype=given.dtype)
        call.twins[id(fresh)] = (fresh, call.twins[id(given)][1])
        options[name] = fresh
    return known.op(*inputs, **options)


_DTYPE_NAMES = {d: str(d).removeprefix("torch.") for d in vars(torch).values() if isinstance(d, torch.dtype)}


def kernel_for(known: Operator) -> Callable[..., Any]:
    """The Python function that PyTorch's dispatcher calls for one operator on ``sim``."""

    def kernel(*args: Any, **kwargs: Any) -> Any:
        return run(known, args, kwargs)

    return kernel
