"""Scaled dot-product attention as one fused operator, as CUDA has it.

Values come from PyTorch's own CPU attention. Gradients come from the formula, so they agree with the CPU's to rounding,
not to the bit.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from syncpoint.sim.dispatch import on_device, twin
from syncpoint.sim.machine import machine

Tensor = torch.Tensor


def attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, *, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """``F.scaled_dot_product_attention``: PyTorch's C++ offers the fused operator to CUDA and XPU only."""
    if enable_gqa and query.shape[-3] != key.shape[-3]:
        groups = query.shape[-3] // key.shape[-3]
        key, value = (t.repeat_interleave(groups, -3) for t in (key, value))
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        keep, drop = (torch.full((), x, dtype=query.dtype, device=query.device) for x in (0.0, float("-inf")))
        attn_mask = torch.where(attn_mask, keep, drop)
    fused = torch.ops.aten._scaled_dot_product_fused_attention_overrideable
    return fused(query, key, value, attn_mask, dropout_p, is_causal, False, scale=scale)[0]


def _flops(query: Tensor, key: Tensor, value: Tensor) -> int:
    rows = query.numel() // query.shape[-1] if query.shape[-1] else 0  # batch * heads * target length
    return 2 * rows * key.shape[-2] * (query.shape[-1] + value.shape[-1])


def _account(name: str, kernels: int, tensors: tuple[Tensor, ...], flops: int) -> None:
    nbytes = sum(t.nbytes for t in tensors)
    dtype = str(tensors[0].dtype).removeprefix("torch.")
    machine.kernel(name, tensors[0].get_device(), kernels, True, nbytes, flops, dtype)


def forward(
    query: Tensor, key: Tensor, value: Tensor, attn_bias: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, return_debug_mask: bool = False, *, scale: float | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """query (B, H, L, E), key (B, H, S, E), value (B, H, S, Ev) -> output (B, H, L, Ev) and what backward needs."""
    machine.begin("aten._scaled_dot_product_fused_attention", query.get_device())
    bias = None if attn_bias is None else twin(attn_bias)
    state = torch.default_generator.get_state()  # so that backward can draw the same dropout mask
    result = F.scaled_dot_product_attention(
        twin(query), twin(key), twin(value), bias, dropout_p, is_causal, scale=scale
    )
    index = query.get_device()
    out = on_device(result, index)
    _account("aten._scaled_dot_product_fused_attention", 3, (query, key, value, out), _flops(query, key, value))
    nothing = on_device(torch.empty(0), index)
    longs = on_device(torch.empty(0, dtype=torch.int64), index)
    seed = on_device(state, index)
    return out, nothing, longs, longs, query.shape[-2], key.shape[-2], seed, longs, nothing


def backward(
    grad_out: Tensor, query: Tensor, key: Tensor, value: Tensor, attn_bias: Tensor, grad_input_mask: list[bool],
    out: Tensor, logsumexp: Tensor, cum_seq_q: Tensor, cum_seq_k: Tensor, max_q: int, max_k: int, dropout_p: float,
    is_causal: bool, philox_seed: Tensor, philox_offset: Tensor, *, scale: float | None = None,
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """Gradients of query, key, value and bias; None where the mask does not ask for one.

    With P = softmax(S), S = scale * Q K^T + bias, and D the dropout's factors: dV = (P D)^T dO, dP = D (dO V^T),
    dS = P (dP - rowsum(P dP)), dQ = scale * dS K, dK = scale * dS^T Q.
    """
    machine.begin("aten._scaled_dot_product_fused_attention_backward", query.get_device())
    q, k, v, grad = (twin(t) for t in (query, key, value, grad_out))
    bias = twin(attn_bias) if attn_bias is not None and attn_bias.numel() else None
    factor = scale if scale is not None else q.shape[-1] ** -0.5
    weights = _weights(q * factor, k, bias, is_causal)
    kept = _dropout_factors(weights, dropout_p, twin(philox_seed))
    grad_weights = grad @ v.mT * kept
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True))
    grads = [
        grad_scores @ k * factor,
        grad_scores.mT @ q * factor,
        (weights * kept).mT @ grad,
        None if bias is None else grad_scores.sum_to_size(bias.shape),
    ]
    index = query.get_device()
    _account(
        "aten._scaled_dot_product_fused_attention_backward", 3, (grad_out, query, key, value, out),
        3 * _flops(query, key, value),
    )  # fmt: skip
    return tuple(
        on_device(g, index) if g is not None and m else None for g, m in zip(grads, grad_input_mask, strict=True)
    )


def _weights(scaled_query: Tensor, key: Tensor, bias: Tensor | None, is_causal: bool) -> Tensor:
    """Softmax of the scores (B, H, L, S); a row without any allowed key has weights 0."""
    scores = scaled_query @ key.mT
    if bias is not None:
        scores = scores + bias
    if is_causal:
        allowed = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(~allowed, float("-inf"))
    return scores.softmax(-1).nan_to_num(0.0)


def _dropout_factors(weights: Tensor, p: float, generator_state: Tensor) -> Tensor | float:
    """What dropout multiplied the weights with: 0 or 1 / (1 - p), drawn again from the forward pass's generator."""
    if p == 0.0:
        return 1.0
    before = torch.default_generator.get_state()
    torch.default_generator.set_state(generator_state)
    _, mask = torch.native_dropout(weights, p, True)
    torch.default_generator.set_state(before)
    return mask / (1 - p)
