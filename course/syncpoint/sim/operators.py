"""What is known of an operator before it is called: from its schema, and from the tables.

Also the rule, and the words, for operands that are not on one device.
"""

from __future__ import annotations

import torch

from syncpoint.sim import asserts, launches, traffic, waits
from syncpoint.sim import flops as flop_rules

Tensor = torch.Tensor


class Operator:
    """What is known of one operator before it is called."""

    def __init__(self, op: torch._ops.OpOverload) -> None:
        self.op = op
        overload = op._schema.overload_name
        self.base = op._schema.name.removeprefix("aten::")
        self.short = f"{self.base}.{overload}" if overload else self.base
        self.name = f"aten.{self.short}"
        rule = launches.rule(self.short)
        self.kernels: int = rule if isinstance(rule, int) else -1
        self.kernel_rule: launches.Rule | None = None if isinstance(rule, int) else rule
        self.library = self.short in launches.LIBRARY
        self.hidden = waits.hidden(self.short)
        self.flops = flop_rules.rule(self.base)
        self.asserts = self.base in asserts.ASSERTING
        self.sparing = traffic.applies(self.base)
        self.returns_new = not op._schema.is_mutable
        arguments = op._schema.arguments
        self.names = [a.name for a in arguments]
        self.tensor_at = frozenset(i for i, a in enumerate(arguments) if str(a.type) in ("Tensor", "Optional[Tensor]"))
        writes = [a.alias_info is not None and a.alias_info.is_write for a in arguments]
        self.writes: frozenset[int | str] = frozenset(
            key for i, a in enumerate(arguments) if writes[i] for key in (i, a.name)
        )
        self.updates = bool(writes) and writes[0] and self.base not in traffic.FILLS
        self.outs = tuple(a.name for a in arguments if a.is_out)
        self.pointwise = torch.Tag.pointwise in op.tags or self.base in _SCALARS_FROM_HOST
        self.takes_host = self.base in _TAKES_HOST


#: Operators that accept CPU tensors of any size beside device tensors, as on CUDA.
_TAKES_HOST = frozenset(
    """index _index_put_impl_ index_put index_put_ copy_ _foreach_copy_ _pack_padded_sequence tensor_split
    _ctc_loss _use_cudnn_ctc_loss set_ record_stream _nested_view_from_jagged""".split()
)
#: Operators that are not tagged pointwise but take 0-dimensional CPU tensors all the same.
_SCALARS_FROM_HOST = frozenset(
    """where masked_fill masked_fill_ fill fill_ index_fill index_fill_ lerp lerp_ clamp clamp_ clamp_min clamp_max
    linspace logspace full _amp_update_scale_ bucketize searchsorted isin _foreach_mul _foreach_mul_ _foreach_add
    _foreach_add_ _foreach_div _foreach_div_ _fused_adam_ _fused_adamw_ _fused_sgd_ _fused_adagrad_ nan_to_num
    masked_scatter masked_scatter_ repeat_interleave multinomial allclose equal addcmul addcdiv""".split()
)


def two_devices(known: Operator, tensor: Tensor, name: str, other: str) -> RuntimeError:
    """CUDA's two texts for operands on different devices."""
    start = "Expected all tensors to be on the same device, but "
    if known.pointwise:
        return RuntimeError(f"{start}found at least two devices, {other} and {tensor.device}!")
    return RuntimeError(
        f"{start}got {name} is on {tensor.device}, different from other tensors on {other} "
        f"(when checking argument in method sim_{known.short.replace('.', '_')})"
    )


def check_host(known: Operator, host: list[tuple[Tensor, str]], device: int) -> None:
    """Raise RuntimeError when an operator on a device is given CPU tensors (with their arguments' names) that it can't
    take; CUDA takes 0-dimensional ones in elementwise operators, and indices."""
    if known.takes_host:
        if known.base.startswith(("index", "_index")) and host[0][1] == "self":
            raise RuntimeError(
                "indices should be either on cpu or on the same device as the indexed tensor (cpu). "
                f"Move the indexed tensor to sim:{device}, or the index with .cpu()."
            )
        return
    for tensor, name in host:
        if tensor.dim() > 0 or not known.pointwise:
            raise two_devices(known, tensor, name, f"sim:{device}")
