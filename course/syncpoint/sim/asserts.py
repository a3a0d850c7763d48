"""Device-side asserts: an index that is out of range is noticed by the device, and the host hears of it later.

On CUDA a bad label or index does not stop the call that brings it. The error surfaces at the next call that waits for
the device, whose line is not to blame. With the environment variable SYNCPOINT_LAUNCH_BLOCKING=1 (CUDA's is
CUDA_LAUNCH_BLOCKING) it is raised at the call itself. After the error CUDA's context is lost for the process; here one
may go on.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import torch

from syncpoint.sim import blocks
from syncpoint.sim.machine import machine

#: Operators whose CUDA kernels check their indices by an assert on the device.
ASSERTING = frozenset(
    """nll_loss_forward nll_loss2d_forward nll_loss_backward nll_loss2d_backward multi_margin_loss
    multilabel_margin_loss_forward index index_select
    _index_put_impl_ index_add_ index_copy_ index_fill_ gather scatter scatter_ scatter_add scatter_add_
    scatter_reduce scatter_reduce_ take put_ embedding embedding_dense_backward _embedding_bag""".split()
)


def defer(error: Exception, name: str, inputs: Sequence[Any], options: dict[str, Any], op: Any) -> Any:
    """Note an assert that failed, and give results of the right shapes with nothing sensible in them.

    Raises the error at once in blocking mode.
    """
    here = machine.current
    text = f"sim error: device-side assert triggered: {error} ({name}"
    text += f" at {here.file}, line {here.line}: {here.source})" if here.line else ")"
    if os.environ.get("SYNCPOINT_LAUNCH_BLOCKING") == "1":
        raise RuntimeError(text) from error
    if machine.assert_failed is None:
        hint = "" if here.line else " Set SYNCPOINT_LAUNCH_BLOCKING=1 to have it raised where it happens."
        machine.assert_failed = f"{text} The call that raises this only waited for the device.{hint}"
    written = [t for t in (*inputs, *options.values()) if isinstance(t, torch.Tensor)]
    if op._schema.is_mutable:
        return written[0]
    shapes = op(*_as_meta(inputs), **{k: _as_meta([v])[0] for k, v in options.items()})
    return _garbage(shapes)


def _as_meta(values: Sequence[Any]) -> list[Any]:
    return [
        v.to("meta") if isinstance(v, torch.Tensor) else _as_meta(v) if isinstance(v, (list, tuple)) else v
        for v in values
    ]


def _garbage(shapes: Any) -> Any:
    if isinstance(shapes, torch.Tensor):
        return blocks.fill_poison(torch.empty(shapes.shape, dtype=shapes.dtype))
    return tuple(_garbage(s) for s in shapes)
