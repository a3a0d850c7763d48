"""How many launches CUDA's host code makes for one operator: one table.

A count includes calls into libraries (a matrix product is one kernel, but four calls: set the stream, the workspace,
the mode, and the product itself), because that was counted on PyTorch 2.14's own CUDA host code; see
``data/cuda_syncs.csv``. Operators that are not in the table launch once. ``LIBRARY`` names those whose calls are
mostly set-up: they take the host's time for one launch only.

What it does not model: algorithm choices of cuDNN and cuBLAS, which depend on the chip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, prod
from typing import Any

#: kernels(args, kwargs, out) -> launches, for operators whose count depends on what they are given
Rule = Callable[[Sequence[Any], dict[str, Any], Any], int]

LIBRARY = frozenset(
    """mm mm.out addmm addmm.out addmm_ bmm bmm.out baddbmm baddbmm.out baddbmm_ addmv addmv_ addmv.out mv dot vdot
    _addmm_activation convolution convolution_backward convolution_overrideable convolution_backward_overrideable
    _fft_r2c _fft_c2r _fft_c2c
    linalg_inv_ex linalg_inv_ex.inverse linalg_cholesky_ex linalg_cholesky_ex.L linalg_lstsq linalg_lstsq.out
    _linalg_svd _linalg_svd.U _linalg_eigh _linalg_eigh.eigenvalues _linalg_solve_ex _linalg_solve_ex.result
    linalg_lu_factor_ex linalg_lu_factor_ex.out linalg_qr linalg_qr.out cholesky_solve _cholesky_solve_helper linalg_eig
    linalg_matrix_exp linalg_pinv.atol_rtol_tensor linalg_solve_triangular linalg_ldl_factor_ex""".split()
)

#: Metadata and plain device-to-device copies: nothing is launched.
NOTHING = frozenset(
    """empty.memory_format empty_strided empty_like new_empty new_empty_strided resize_ set_ set_.source_Tensor
    set_.source_Storage set_.source_Storage_storage_offset as_strided view _reshape_alias unfold record_stream
    _pack_padded_sequence is_pinned _use_cudnn_ctc_loss _use_cudnn_ctc_loss.Tensor
    _nested_view_from_jagged""".split()
)

_CHUNK_ELEMENTS, _CHUNKS_A_LAUNCH = 65_536, 320  # ATen/native/cuda/MultiTensorApply.cuh
_TENSORS_A_LAUNCH = {1: 110, 2: 64, 3: 48, 4: 36, 5: 30}


def foreach_kernels(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    """A multi-tensor operator packs as many tensors and 65,536-element chunks into a launch as fit."""
    lists = [a for a in args if isinstance(a, (list, tuple)) and a and hasattr(a[0], "numel")]
    if not lists:
        return 1
    per_launch = _TENSORS_A_LAUNCH[min(len(lists), 5)]
    chunks = sum(ceil(t.numel() / _CHUNK_ELEMENTS) for t in lists[0])
    return max(ceil(len(lists[0]) / per_launch), ceil(chunks / _CHUNKS_A_LAUNCH))


def _numel(out: Any) -> int:
    return prod(out.shape) if hasattr(out, "shape") else 1


def _masks(indices: Sequence[Any]) -> int:
    return sum(i is not None and str(i.dtype) in ("torch.bool", "torch.uint8") for i in indices)


def _cat(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return int(sum(t.numel() > 0 for t in args[0]) > 1)  # one tensor alone is a plain copy


def _index(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 3 * sum(not i.is_cpu for i in args[1] if i is not None and _masks([i])) + (_numel(out) > 0)


def _index_put(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    indices, values = args[1], args[2]
    accumulate = kwargs.get("accumulate", args[3] if len(args) > 3 else False)
    unsafe = kwargs.get("unsafe", args[4] if len(args) > 4 else False)
    masks = [i for i in indices if i is not None and _masks([i])]
    if masks and values.numel() == 1 and values.is_cpu and not accumulate:
        return 1 if not masks[0].is_cpu else 0  # CUDA turns it into masked_fill_
    if masks:  # counting the mask takes three; the write is launched unless nothing was selected
        return 3 * sum(not m.is_cpu for m in masks) + (values.numel() > 0)
    return (7 if unsafe else 11) if accumulate else 1  # the range check of the indices takes four


def _reduced(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 1 if _numel(out) > 1 else 2  # the elementwise part, then the mean or sum


def _sort(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 2 if args[0].numel() <= 4096 else 7


def _topk(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 2 if args[1] else 0


def _randperm(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 5 if _numel(out) <= 4096 else 11


def _multinomial(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    samples = args[1]
    replacement = kwargs.get("replacement", args[2] if len(args) > 2 else False)
    return 12 if samples == 1 else (4 if replacement else 13)


def _unique(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 8 if (args[2] if len(args) > 2 else kwargs.get("return_inverse", False)) else 3


def _batch_norm(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 3 if args[5] else 1  # training


def _equal(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 0 if args[0] is args[1] else 2


def _histc(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    low, high = (list(args[2:4]) + [0, 0])[:2]
    return 2 if kwargs.get("min", low) != kwargs.get("max", high) else 3


def _sum(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 2 if str(args[0].dtype) == "torch.bool" else 1  # masks are widened first


def _masked_select(args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    return 3 + (_numel(out) > 0)


KERNELS: dict[str, int | Rule] = {
    **dict.fromkeys(NOTHING, 0),
    **dict.fromkeys(("mm", "addmm", "bmm", "baddbmm", "mm.out", "addmm.out", "bmm.out", "baddbmm.out", "addmm_"), 4),
    **dict.fromkeys(("dot", "vdot", "addmv", "addmv_", "addmv.out"), 4),
    **dict.fromkeys(("convolution", "convolution_overrideable"), 6),
    **dict.fromkeys(("convolution_backward", "convolution_backward_overrideable"), 12),
    "_foreach_norm.Scalar": 3,
    **dict.fromkeys(("sum", "sum.dim_IntList", "sum.IntList_out"), _sum),
    "max_pool2d_with_indices_backward": 3,
    "multi_margin_loss": 2,
    "_embedding_bag_backward": 13,
    "linalg_lstsq.out": 20,
    "cat": _cat,
    "cat.out": _cat,
    "index.Tensor": _index,
    "index.Tensor_out": _index,
    "_index_put_impl_": _index_put,
    "index_put_": _index_put,
    "index_put": _index_put,
    "mse_loss": _reduced,
    "mse_loss.out": _reduced,
    "huber_loss": _reduced,
    "smooth_l1_loss.out": _reduced,
    "sort.stable": _sort,
    "sort": _sort,
    "sort.values_stable": _sort,
    "topk": _topk,
    "topk.values": _topk,
    "median": 4,
    "nanmedian": 4,
    "randperm.generator_out": _randperm,
    "randperm": _randperm,
    "multinomial": _multinomial,
    "nonzero": 3,
    "nonzero.out": 3,
    "nonzero_static": 5,
    "argwhere": 3,
    "masked_select": _masked_select,
    "masked_scatter_": 4,
    "masked_scatter": 4,
    "_unique2": _unique,
    "unique_consecutive": 2,
    "unique_dim": 4,
    "bincount": 3,
    "histc": _histc,
    "histc.out": _histc,
    "count_nonzero.dim_IntList": 2,
    "repeat_interleave.Tensor": 3,
    "isin.Tensor_Tensor": 3,
    "isin.Tensor_Tensor_out": 3,
    "eye.m_out": 2,
    "eye.out": 2,
    "eye": 2,
    "pow.Scalar": 2,
    "pow.Scalar_out": 2,
    "normal.Tensor_Tensor": 9,
    "equal": _equal,
    "embedding_dense_backward": 3,
    "embedding_renorm_": 6,
    "_embedding_bag_dense_backward": 13,
    "native_batch_norm": _batch_norm,
    "_linalg_check_errors": 1,
    "linalg_inv_ex": 21,
    "linalg_inv_ex.inverse": 21,
    "linalg_cholesky_ex": 7,
    "linalg_cholesky_ex.L": 7,
    "cholesky_solve": 7,
    "_cholesky_solve_helper": 7,
    "linalg_lstsq": 20,
    "_linalg_svd": 10,
    "_linalg_svd.U": 10,
    "_linalg_eigh": 8,
    "_linalg_eigh.eigenvalues": 8,
    "_linalg_solve_ex": 20,
    "_linalg_solve_ex.result": 20,
    "linalg_lu_factor_ex": 4,
    "linalg_lu_factor_ex.out": 4,
    "linalg_eig": 5,
    "linalg_qr": 12,
    "linalg_qr.out": 12,
    "linalg_matrix_exp": 10,
    "linalg_pinv.atol_rtol_tensor": 23,
    "_fft_r2c": 4,
    "_fft_c2r": 4,
    "_fft_c2c": 4,
    "_scaled_dot_product_fused_attention_overrideable": 3,
    "_scaled_dot_product_efficient_attention": 3,
}


def rule(name: str) -> int | Rule:
    """The launches of an operator ("add.Tensor"): a number, or a function of its arguments and result."""
    if name.startswith(("_foreach_", "_fused_")) and name not in KERNELS:
        return foreach_kernels
    return KERNELS.get(name, 1)
