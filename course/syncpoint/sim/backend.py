"""Registration of ``sim`` with PyTorch: dispatch table, device module, special operators.

CUDA's dispatch table is mirrored (``data/cuda_kernels.json``): an operator that has a kernel of its own on CUDA gets
one here, all others are decomposed by PyTorch exactly as for CUDA, so launches are counted alike.

``check_torch`` looks for the private names of PyTorch without which nothing here works.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import operator
import os
import warnings
from importlib import resources
from typing import Any

import torch

from syncpoint.sim import attention, autocast, blocks, cells, copies, interrupts, module, patches, streams
from syncpoint.sim.dispatch import kernel_for, run, twin
from syncpoint.sim.machine import machine
from syncpoint.sim.operators import Operator

_libraries: list[torch.library.Library] = []  # a registration lives as long as its Library object
_aten = torch.ops.aten


def _device_for_cpp() -> tuple[Any, Any]:
    """The hooks and the guard that C++ asks about the device, at places that no exception may leave.

    Their answers are C functions only, because bytecode can be interrupted: see ``interrupts.py``.
    """

    class Hooks(torch._C._acc.PrivateUse1Hooks):  # type: ignore[name-defined]
        is_available = is_built = staticmethod(functools.partial(bool, True))
        has_primary_context = staticmethod(functools.partial(operator.is_not, None))  # it is asked about an index

    class Guard(torch._C._acc.DeviceGuard):  # type: ignore[name-defined]
        type_ = staticmethod(functools.partial(getattr, torch._C._autograd.DeviceType, "PrivateUse1"))

    return Hooks(), Guard()


def check_torch() -> None:
    """Say plainly that this PyTorch can't carry the simulator, instead of failing somewhere later.

    One that is too old was refused when ``syncpoint`` was imported; here the private names are looked for.
    """
    remedy = "Install one with: pip install 'torch>=2.11'. (Tried: see README.)"
    for owner, name in (
        (torch._C, "_to_dlpack"), (torch._C, "_from_dlpack"), (torch._C, "DispatchKeySet"), (torch._C, "_acc"),
        (torch.utils.backend_registration, "_setup_privateuseone_for_python_backend"),
    ):  # fmt: skip
        if not hasattr(owner, name):
            raise ImportError(
                f"torch {torch.__version__} has no {name}, which the simulated accelerator needs. {remedy}"
            )


def is_enabled() -> bool:
    return bool(_libraries)


def enable() -> None:
    """Register the device ``sim``; a second call does nothing."""
    if is_enabled():
        return
    check_torch()
    accelerator = torch.accelerator.current_accelerator(check_available=True)
    if accelerator is not None and accelerator.type != "cpu":
        warnings.warn(
            f"this process now has the simulated accelerator beside {accelerator.type}: torch.accelerator.* speaks of "
            f"sim from here on. Use torch.{accelerator.type}.* for the real one.",
            stacklevel=3,
        )
    # PyTorch starts a thread for each device at the first backward; with sim not yet there, none for it. Backward runs
    # in the calling thread anyway, and a process without such threads may be forked.
    torch.ones((), requires_grad=True).backward()
    torch.utils.rename_privateuse1_backend("sim")  # type: ignore[attr-defined]
    hook, guard = _device_for_cpp()
    torch.utils.backend_registration._setup_privateuseone_for_python_backend(  # type: ignore[attr-defined]
        "sim", backend_module=module, hook=hook, device_guard=guard
    )
    _register_operators()
    _keep_freed_memory()
    patches.apply()
    streams.install()
    interrupts.install(blocks.free_what_is_gone)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=machine.after_fork)


def _keep_freed_memory() -> None:
    """Let the C library keep what tensors give back, as a device's allocator does.

    By default glibc returns the top of its heap to the system after each training step and has it zeroed again for
    the next: 4,000 page faults a step of the MNIST network, a tenth of its time. Elsewhere there is nothing to do.
    """
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(-1, 1 << 30)  # M_TRIM_THRESHOLD
        libc.mallopt(-3, 32 << 20)  # M_MMAP_THRESHOLD at its maximum: setting the other ends its adaptation


def _register_operators() -> None:
    library = torch.library.Library("aten", "IMPL")
    _libraries.append(library)
    special = _special_kernels()
    with warnings.catch_warnings():
        # An override of a kernel that PyTorch has registered for every backend is what we want, and warned about.
        warnings.filterwarnings(
            "ignore", message=".*(?:[Oo]verriding a previously registered kernel|Warning only once).*"
        )
        for name, kernel in special.items():
            library.impl(name, kernel, "PrivateUse1", allow_override=True)
        for name in _cuda_kernels():
            if name not in special:
                _register(library, name)
        library.impl("_pin_memory", copies.pin, "CPU", allow_override=True)
        library.impl("is_pinned", copies.is_pinned, "CPU", allow_override=True)
        for key in ("PrivateUse1", "AutogradPrivateUse1"):
            library.impl("scaled_dot_product_attention", attention.attention, key)
    fallback = torch.library.Library("_", "IMPL")
    _libraries.append(fallback)
    fallback.fallback(_fallback, "PrivateUse1")
    fallback.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    autocast.register(library, _overload)
    for key in ("SparsePrivateUse1", "SparseCsrPrivateUse1"):
        fallback.fallback(_no_sparse, key)


def _cuda_kernels() -> list[str]:
    text = resources.files("syncpoint.sim").joinpath("data/cuda_kernels.json").read_text(encoding="utf-8")
    return [name.removeprefix("aten::") for name in json.loads(text)]


def _overload(name: str) -> Any:
    base, _, overload = name.partition(".")
    packet = getattr(_aten, base, None)
    return getattr(packet, overload or "default", None) if packet is not None else None


def _register(library: torch.library.Library, name: str) -> None:
    op = _overload(name)  # None: this version of PyTorch does not have the operator
    if op is not None and ("sparse" in name or "coalesce" in name):
        library.impl(name, functools.partial(_no_sparse, op), "PrivateUse1")
    elif op is not None:
        library.impl(name, kernel_for(Operator(op)), "PrivateUse1")


def _no_sparse(op: Any, *args: Any, **kwargs: Any) -> Any:
    raise NotImplementedError(
        f"sim does not support sparse tensors ({op._schema.name}). Use dense tensors, or move to the CPU with .cpu()."
    )


def _unsupported(feature: str, *args: Any, **kwargs: Any) -> Any:
    raise NotImplementedError(f"sim does not support {feature}. Move the tensors to the CPU for this step with .cpu().")


_fallback_operators: dict[Any, Operator] = {}


def _fallback(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Operators without a CUDA kernel of their own and without a decomposition."""
    known = _fallback_operators.get(op)
    if known is None:
        if op.namespace not in ("aten", "prims"):
            raise NotImplementedError(
                f"sim does not support {op._schema.name}: it has PyTorch's own operators only. "
                "Move the tensors to the CPU for this step with .cpu()."
            )
        known = _fallback_operators[op] = Operator(op)
    return run(known, args, kwargs)


def _redispatch(name: str) -> Any:
    """Metadata only: PyTorch's own CPU implementation makes a true alias that shares the storage."""
    op, keys = _overload(name), torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)

    def alias(*args: Any, **kwargs: Any) -> Any:
        if machine.bad_fork:
            machine.begin(op.name(), 0)  # raises
        return op.redispatch(keys, *args, **kwargs)

    return alias


def _local_scalar_dense(tensor: torch.Tensor) -> Any:
    device = tensor.get_device()
    access = machine.begin("aten._local_scalar_dense", device)
    raced = machine.following and blocks.touch(tensor, access, False)
    values = twin(tensor)
    machine.read("value read", "aten._local_scalar_dense", device, tensor.element_size())
    return (blocks.poisoned(values) if raced and machine.poison else values).item()


_convolution = Operator(_aten.convolution.default)
_convolution_backward = Operator(_aten.convolution_backward.default)


def _convolution_kernel(*args: Any) -> Any:
    return run(_convolution, args, {})


def _convolution_backward_kernel(grad: Any, source: Any, weight: Any, *options: Any) -> Any:
    bias_sizes = [grad.shape[1]] if options[-1][2] else None
    return run(_convolution_backward, (grad, source, weight, bias_sizes, *options), {})


def _one_hot(indices: torch.Tensor, num_classes: int = -1) -> torch.Tensor:
    """CUDA's way: zeros and scatter; a value read only when the number of classes must be found out."""
    if indices.dtype != torch.int64:
        raise RuntimeError(f"one_hot is only applicable to index tensor of type LongTensor, got {indices.dtype}")
    if num_classes == -1:
        num_classes = int(indices.max().item()) + 1
    out = torch.zeros((*indices.shape, num_classes), dtype=torch.int64, device=indices.device)
    return out.scatter_(-1, indices.unsqueeze(-1), 1)


def _record_stream(tensor: torch.Tensor, stream: Any) -> None:
    block = blocks.block_of(tensor)
    if block is not None:
        block.used_by |= {(tensor.get_device(), stream.stream_id)}


def _special_kernels() -> dict[str, Any]:
    """Kernels that are not "run the CPU operator on the twins"."""
    aliases = (
        "as_strided", "view", "_reshape_alias", "unfold", "view_as_real", "view_as_complex", "set_",
        "set_.source_Storage_storage_offset", "set_.source_Storage", "set_.source_Tensor",
    )  # fmt: skip
    return {
        **{name: _redispatch(name) for name in aliases},
        "_to_copy": copies.to_copy,
        "copy_": copies.copy_,
        "_copy_from": copies.copy_from,
        "_foreach_copy_": copies.foreach_copy_,
        "_local_scalar_dense": _local_scalar_dense,
        "convolution_overrideable": _convolution_kernel,
        "convolution_backward_overrideable": _convolution_backward_kernel,
        "one_hot": _one_hot,
        **cells.KERNELS,
        **{name: functools.partial(_unsupported, "ctc_loss") for name in ("_ctc_loss", "_ctc_loss.Tensor")},
        "record_stream": _record_stream,
        "resize_": patches.resize,
        "_scaled_dot_product_fused_attention_overrideable": attention.forward,
        "_scaled_dot_product_fused_attention_overrideable_backward": attention.backward,
    }
