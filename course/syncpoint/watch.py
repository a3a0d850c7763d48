"""Dispatch modes that watch a block of code: CPU operators beside ``sim``, or everything on a real device.

``HostWatcher`` charges the CPU operators of a block to the virtual clock, so that a race of CPU against device is
fair. ``Watcher`` gives a real device (cuda, mps, or the cpu itself) the records that ``sim`` would give: it tells a
machine of its own what PyTorch's operators do, by the same tables.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from syncpoint.sim import blocks, launches, traffic
from syncpoint.sim.copies import account_copy
from syncpoint.sim.machine import Machine, machine
from syncpoint.sim.operators import Operator
from syncpoint.sim.traffic import tensors

Tensor = torch.Tensor
_known: dict[Any, Operator | None] = {}
_READS = ("_local_scalar_dense", "is_nonzero", "item")  # the latter two inside torch.cond and while_loop
_COPIES = ("_to_copy", "copy_", "_foreach_copy_")
#: Allocation and bookkeeping: no time to speak of.
_METADATA = launches.NOTHING | {
    "detach", "alias", "lift_fresh", "t", "transpose.int", "permute", "expand",
    "select.int", "slice.Tensor", "unsqueeze", "squeeze", "squeeze.dim", "squeeze.dims", "view.dtype", "split.Tensor",
    "split_with_sizes", "unbind.int", "diagonal", "_unsafe_view", "view_as_real", "view_as_complex", "_conj", "t_",
    "transpose_", "unsqueeze_", "squeeze_", "squeeze_.dim", "expand_as", "new_empty",
}  # fmt: skip
_FREE = _METADATA | {"_local_scalar_dense"}


def _operator(func: Any) -> Operator | None:
    """What is known of an operator, or None for one that costs nothing and waits for nothing."""
    if func not in _known:
        plain = func.namespace in ("aten", "prims") and isinstance(func, torch._ops.OpOverload)
        _known[func] = Operator(func) if plain else None
    return _known[func]


class _Mode(TorchDispatchMode):
    """A mode that lets ``torch.cond`` and ``while_loop`` through, to watch the operators of their bodies."""

    supports_higher_order_operators = True

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Let the compiler, which ``while_loop`` and ``cond`` use even in eager code, work as if no mode were there.

        Otherwise it gives up on their frames for good: in torch 2.11 the next call outside a trace fails.
        """
        return True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # PyTorch would import its compiler to shield the mode from it: two seconds for nothing

    def _body(self, func: Any, args: Any, kwargs: Any) -> Any:
        with self:
            if func is torch.ops.higher_order.cond:  # its own eager kernel refuses to run under any mode
                predicate, true_fn, false_fn, operands = args
                return (true_fn if predicate else false_fn)(*operands)
            return func.py_kernels[torch._C.DispatchKey.CompositeExplicitAutograd](*args, **(kwargs or {}))


def _touch_pinned(known: Operator, args: Any) -> None:
    """The host's own accesses to pinned memory can race with copies in flight."""
    for position, value in enumerate(args):
        for tensor in tensors((value,)):
            if tensor.is_cpu and known.short not in _METADATA:
                blocks.host_touch(tensor, known.name, position in known.writes)


class HostWatcher(_Mode):
    """Charges CPU operators to a machine's host clock; device operators account for themselves."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine = machine

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if isinstance(func, torch._ops.HigherOrderOperator):
            return self._body(func, args, kwargs)
        known = _operator(func)
        if machine.replaying:
            return func(*args, **(kwargs or {}))
        if known is not None and machine.following:
            _touch_pinned(known, args)
        out = func(*args, **(kwargs or {}))
        if known is not None and known.short not in _FREE:
            results = list(tensors((out,)))
            inputs = list(tensors(args))
            if results and all(t.is_cpu for t in results) and all(t.is_cpu for t in inputs):
                nbytes = sum(t.nbytes for t in inputs) + (sum(t.nbytes for t in results) if known.returns_new else 0)
                nbytes -= traffic.saved(known.base, args, out)
                self.machine.host_op(known.name, nbytes, 0 if known.flops is None else known.flops(args, out))
        return out


class Watcher(_Mode):
    """Tells a machine what the operators on one type of device would do."""

    def __init__(self, machine: Machine, device_type: str) -> None:
        super().__init__()
        self.machine = machine
        self.type = device_type

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if isinstance(func, torch._ops.HigherOrderOperator):
            return self._body(func, args, kwargs)
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        known = _operator(func)
        if known is not None:
            self._account(known, args, kwargs, out)
        return out

    def _device(self, tensors: list[Tensor]) -> int:
        """The index of the device that an operator ran on; -1 for the host."""
        for tensor in tensors:
            if tensor.device.type == self.type:
                return max(tensor.get_device(), 0)
        return -1

    def _account(self, known: Operator, args: Any, kwargs: dict[str, Any], out: Any) -> None:
        results, inputs = list(tensors((out,))), list(tensors(args))
        nbytes = sum(t.nbytes for t in inputs + results) - traffic.saved(known.base, args, out)
        device = self._device(inputs + results)
        machine = self.machine
        if device < 0:
            if known.short not in _FREE:
                machine.host_op(known.name, nbytes, 0)
            return
        machine.begin(known.name, device)
        if known.base in _READS:
            machine.read("value read", known.name, device, inputs[0].element_size())
        elif known.base == "lift_fresh" and self.type != "cpu":  # torch.tensor(..., device=...): a copy below us
            machine.copy(known.name, "H2D", device, results[0].nbytes, pinned=False, non_blocking=False)
        elif known.base in _COPIES:
            self._copies(known, args, kwargs, out)
        elif known.short not in _FREE:
            self._operate(known, args, kwargs, out, device, nbytes)

    def _copies(self, known: Operator, args: Any, kwargs: dict[str, Any], out: Any) -> None:
        if known.base == "_to_copy":
            pairs = [(args[0], out)]
        elif known.base == "copy_":
            pairs = [(args[1], args[0])]
        else:
            pairs = list(zip(args[1], args[0], strict=True))
        at = 1 if known.base == "_to_copy" else 2
        non_blocking = kwargs.get("non_blocking", args[at] if len(args) > at else False)
        for source, target in pairs:
            account_copy(self.machine, source, target, bool(non_blocking), known.base == "_to_copy", self.type)

    def _operate(self, known: Operator, args: Any, kwargs: dict[str, Any], out: Any, device: int, nbytes: int) -> None:
        machine = self.machine
        waits = [] if known.hidden is None or self.type == "cpu" else list(known.hidden(args, kwargs))
        if known.hidden is not None and self.type == "cpu":
            waits = [w for w in known.hidden(args, kwargs) if w.direction == "D2H"]
        for wait in waits:
            if wait.direction == "H2D":
                machine.copy(known.name, "H2D", device, wait.bytes, pinned=False, non_blocking=False)
        kernels = known.kernels if known.kernel_rule is None else known.kernel_rule(args, kwargs, out)
        flops = 0 if known.flops is None else known.flops(args, out)
        machine.kernel(known.name, device, kernels, known.library, nbytes, flops, "float32")
        for wait in waits:
            if wait.direction == "D2H":
                machine.read(wait.kind, known.name, device, wait.bytes)
