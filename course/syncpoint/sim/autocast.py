"""``torch.autocast("sim")``: which operators run in half precision and which in float32, as on CUDA.

The lists are those of PyTorch's "Autocast Op Reference". Not modelled: CUDA keeps the half-precision copy of a weight
until the region ends; here each use casts again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor

_HALF = """conv1d conv2d conv3d conv_transpose1d conv_transpose2d.input conv_transpose3d.input convolution addmm addmv
addr bmm baddbmm addbmm chain_matmul linear matmul mm mv prelu linalg_multi_dot linalg_vecdot
scaled_dot_product_attention _thnn_fused_lstm_cell _thnn_fused_gru_cell"""
_FULL = """acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Tensor_Scalar
pow.Tensor_Tensor pow.Scalar softplus layer_norm native_layer_norm group_norm norm.Scalar norm.ScalarOpt_dim
cosine_similarity poisson_nll_loss cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div l1_loss
smooth_l1_loss huber_loss mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss
multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp softmax.int log_softmax.int
cumprod cumsum prod prod.dim_int sum sum.dim_IntList"""
_WIDEST = """addcdiv addcmul atan2 bilinear cross dot grid_sampler index_put tensordot scatter_add cat stack"""


def _cast(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, Tensor):
        eligible = value.device.type == "sim" and value.is_floating_point() and value.dtype != torch.float64
        return value.to(dtype) if eligible else value
    if type(value) in (list, tuple):
        return type(value)(_cast(v, dtype) for v in value)
    return value


def _widest(values: Any) -> torch.dtype:
    """float32 when any floating tensor is, else the dtype that autocast was asked for."""
    tensors = [t for v in values for t in (v if isinstance(v, (list, tuple)) else [v]) if isinstance(t, Tensor)]
    wide = any(t.dtype == torch.float32 for t in tensors)
    return torch.float32 if wide else torch.get_autocast_dtype("sim")


def _rule(op: Any, choose: Callable[[Any], torch.dtype]) -> Callable[..., Any]:
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)  # type: ignore[attr-defined]

    def cast_and_call(*args: Any, **kwargs: Any) -> Any:
        with torch._C._ExcludeDispatchKeyGuard(keys):
            dtype = choose(args)
            return op(*_cast(args, dtype), **{name: _cast(v, dtype) for name, v in kwargs.items()})

    return cast_and_call


def register(library: torch.library.Library, find: Callable[[str], Any]) -> None:
    """Register the rules; ``find`` gives the operator of a name, or None where this PyTorch has none."""
    for names, choose in (
        (_HALF, lambda args: torch.get_autocast_dtype("sim")),
        (_FULL, lambda args: torch.float32),
        (_WIDEST, _widest),
    ):
        for name in names.split():
            op = find(name)
            if op is not None:
                library.impl(name, _rule(op, choose), "AutocastPrivateUse1")
