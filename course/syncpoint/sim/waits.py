"""Which operators make the host wait, and why: one table.

Most waits of PyTorch programs are plain to see: ``.item()`` and its kin, and blocking copies. This table holds the
hidden ones: operators that read a value back, or move an index or a scalar over, inside their CUDA implementation.
The counts were observed on PyTorch 2.14's own CUDA host code (``data/cuda_syncs.csv``); a wait inside cuSOLVER, cuDNN
or NCCL is not seen by that method and is not in the table.

>>> [w.kind for w in hidden("nonzero")([mask], {})]
['data-dependent shape']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Hidden(NamedTuple):
    """One wait inside an operator."""

    kind: str  # one of log.WAIT_KINDS
    direction: str  # "D2H": after the operator's kernels; "H2D": before them
    bytes: int


Rule = Callable[[Sequence[Any], dict[str, Any]], Sequence[Hidden]]

_SHAPE = Hidden("data-dependent shape", "D2H", 8)
_VALUE = Hidden("value read", "D2H", 8)
_LIBRARY = Hidden("library", "D2H", 8)


def _always(*waits: Hidden) -> Rule:
    return lambda args, kwargs: waits


def _moved(tensor: Any) -> Hidden:
    return Hidden("copy", "H2D", tensor.nbytes)


def is_mask(index: Any) -> bool:
    return index is not None and str(index.dtype) in ("torch.bool", "torch.uint8")


def _index(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    """``x[mask]`` counts the true values of its mask; a long index on the host is moved over.

    A mask on the host is counted there, and its positions travel through pinned memory: no wait.
    """
    waits = []
    for index in args[1]:
        if index is None:
            continue
        if is_mask(index):
            if not index.is_cpu:
                waits.append(_SHAPE)
        elif index.is_cpu:
            waits.append(_moved(index))
    return waits


def _index_put(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    """``x[mask] = 0.`` is masked_fill_: no wait. With a value on the device the mask must be counted; a scalar for
    long indices must be moved over."""
    indices, values = args[1], args[2]
    accumulate = kwargs.get("accumulate", args[3] if len(args) > 3 else False)
    scalar_on_host = values.is_cpu and values.numel() == 1
    masked = any(is_mask(i) for i in indices)
    if masked and scalar_on_host and not accumulate and sum(i is not None for i in indices) == 1:
        return [_moved(i) for i in indices if i is not None and i.is_cpu]
    waits = _index(args, kwargs)
    if values.is_cpu:
        waits.append(_moved(values))
    return waits


def _masked_fill(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    value = args[2] if len(args) > 2 else kwargs["value"]
    return [] if value.is_cpu else [_VALUE]


def _where(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    return [_moved(t) for t in args if t.is_cpu]


def _endpoints(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    return [_VALUE for end in args[:2] if hasattr(end, "is_cpu") and not end.is_cpu]


def _histc(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    low, high = (list(args[2:4]) + [0, 0])[:2]
    return [_VALUE, _VALUE] if kwargs.get("min", low) == kwargs.get("max", high) else []


def _repeat_interleave(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    return [] if kwargs.get("output_size") is not None else [_SHAPE, _VALUE]


def _equal(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    return [] if args[0] is args[1] else [_VALUE]


def _pinv(args: Sequence[Any], kwargs: dict[str, Any]) -> list[Hidden]:
    return [_LIBRARY, _LIBRARY]


_TABLE: dict[str, Rule] = {
    "index.Tensor": _index,
    "index.Tensor_out": _index,
    "_index_put_impl_": _index_put,
    "index_put_": _index_put,
    "index_put": _index_put,
    "masked_fill.Tensor": _masked_fill,
    "masked_fill_.Tensor": _masked_fill,
    "where.self": _where,
    "where.self_out": _where,
    "nonzero": _always(_SHAPE),
    "nonzero.out": _always(_SHAPE),
    "argwhere": _always(_SHAPE),
    "masked_select": _always(_SHAPE),
    "masked_select.out": _always(_SHAPE),
    "_unique2": _always(_SHAPE),
    "unique_consecutive": _always(_SHAPE),
    "unique_dim": _always(_SHAPE, _SHAPE, _SHAPE),
    "unique_dim_consecutive": _always(_SHAPE, _SHAPE, _SHAPE),
    "bincount": _always(_SHAPE, _VALUE),
    "histc": _histc,
    "histc.out": _histc,
    "repeat_interleave.Tensor": _repeat_interleave,
    "equal": _equal,
    "allclose": _always(_VALUE),
    "_local_scalar_dense": _always(_VALUE),
    "linspace.Tensor_Tensor": _endpoints,
    "linspace.Tensor_Scalar": _endpoints,
    "linspace.Scalar_Tensor": lambda args, kwargs: _endpoints(args[1:2], kwargs),
    "logspace.Tensor_Tensor": _endpoints,
    "logspace.Tensor_Scalar": _endpoints,
    "logspace.Scalar_Tensor": lambda args, kwargs: _endpoints(args[1:2], kwargs),
    "_linalg_check_errors": _always(_LIBRARY),
    "linalg_lstsq": _always(_LIBRARY),
    "linalg_lstsq.out": _always(_LIBRARY),
    "_linalg_svd": _always(_LIBRARY, _LIBRARY),
    "_linalg_svd.U": _always(_LIBRARY, _LIBRARY),
    "_linalg_eigh": _always(_LIBRARY),
    "_linalg_eigh.eigenvalues": _always(_LIBRARY),
    "linalg_eig": _always(_LIBRARY),
    "linalg_eig.out": _always(_LIBRARY),
    "linalg_matrix_exp": _always(_LIBRARY, Hidden("library", "H2D", 8)),
    "linalg_pinv.atol_rtol_tensor": _pinv,
    "_nested_tensor_from_mask_left_aligned": _always(_VALUE),
}


def hidden(name: str) -> Rule | None:
    """The rule of an operator ("nonzero", "index.Tensor"), or None when it never waits."""
    return _TABLE.get(name)
