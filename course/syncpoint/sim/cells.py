"""The fused cells of LSTM and GRU, which PyTorch has for CUDA only: each is one kernel.

Values are computed from the cells' equations, so they agree with PyTorch's CPU layers to rounding, not to the bit.
Shapes: gates (B, 4 * H) for LSTM and (B, 3 * H) for GRU, states (B, H), biases (4 * H) or (3 * H).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from syncpoint.sim.dispatch import on_device, twin
from syncpoint.sim.machine import machine

Tensor = torch.Tensor


def _as_kernel(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """Run a computation on the twins of its tensors and account for it as one kernel."""

    def kernel(*args: Any) -> Any:
        device = next(a for a in args if isinstance(a, Tensor)).get_device()
        machine.begin(f"aten.{name}", device)
        results = compute(*(twin(a) if isinstance(a, Tensor) else a for a in args))
        tensors = [t for t in (*args, *results) if isinstance(t, Tensor)]
        machine.kernel(f"aten.{name}", device, 1, False, sum(t.nbytes for t in tensors), 0, "float32")
        return tuple(None if t is None else on_device(t.contiguous(), device) for t in results)

    return kernel


def _plus(gates: Tensor, bias: Tensor | None) -> Tensor:
    return gates if bias is None else gates + bias


def _lstm(
    from_input: Tensor,
    from_hidden: Tensor,
    cx: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    i, f, g, o = (_plus(from_input, input_bias) + _plus(from_hidden, hidden_bias)).chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cy = f * cx + i * g
    return o * cy.tanh(), cy, torch.cat((i, f, g, o), 1)


def _lstm_backward(
    grad_hy: Tensor | None, grad_cy: Tensor | None, cx: Tensor, cy: Tensor, workspace: Tensor, has_bias: bool
) -> tuple[Tensor, Tensor, Tensor | None]:
    i, f, g, o = workspace.chunk(4, 1)
    through_hy = torch.zeros_like(cy) if grad_hy is None else grad_hy
    tanh_cy = cy.tanh()
    grad_c = through_hy * o * (1 - tanh_cy**2) + (0 if grad_cy is None else grad_cy)
    gates = torch.cat(
        (
            grad_c * g * i * (1 - i),
            grad_c * cx * f * (1 - f),
            grad_c * i * (1 - g**2),
            through_hy * tanh_cy * o * (1 - o),
        ),
        1,
    )
    return gates, grad_c * f, gates.sum(0) if has_bias else None


def _gru(
    from_input: Tensor,
    from_hidden: Tensor,
    hx: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    ir, iz, inew = _plus(from_input, input_bias).chunk(3, 1)
    hr, hz, hnew = _plus(from_hidden, hidden_bias).chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (inew + r * hnew).tanh()
    return n + z * (hx - n), torch.cat((r, z, n, hx, hnew), 1)


def _gru_backward(grad_hy: Tensor, workspace: Tensor, has_bias: bool) -> tuple[Tensor | None, ...]:
    r, z, n, hx, hnew = workspace.chunk(5, 1)
    grad_n = grad_hy * (1 - z) * (1 - n**2)
    grad_r = grad_n * hnew * r * (1 - r)
    grad_z = grad_hy * (hx - n) * z * (1 - z)
    by_input = torch.cat((grad_r, grad_z, grad_n), 1)
    by_hidden = torch.cat((grad_r, grad_z, grad_n * r), 1)
    biases = (by_input.sum(0), by_hidden.sum(0)) if has_bias else (None, None)
    return (by_input, by_hidden, grad_hy * z, *biases)


_COMPUTE: dict[str, Callable[..., Any]] = {
    "_thnn_fused_lstm_cell": _lstm,
    "_thnn_fused_lstm_cell_backward_impl": _lstm_backward,
    "_thnn_fused_gru_cell": _gru,
    "_thnn_fused_gru_cell_backward": _gru_backward,
}
KERNELS = {name: _as_kernel(name, compute) for name, compute in _COMPUTE.items()}
