"""Floating-point operations of the operators that are bound by arithmetic: matrix products and convolutions.

A multiplication and an addition count as two. All other operators are bound by memory: their count is 0.
Shapes: mm (n, k) @ (k, m); bmm (b, n, k) @ (b, k, m); convolution weight (out, in / groups, *kernel).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

Rule = Callable[[Sequence[Any], Any], int]


def _product(args: Sequence[Any], out: Any) -> int:
    return 2 * prod(out.shape) * args[0].shape[-1]


def _product_added(args: Sequence[Any], out: Any) -> int:
    return 2 * prod(out.shape) * args[1].shape[-1]


def _convolution(args: Sequence[Any], out: Any) -> int:
    weight, transposed = args[1], args[6]
    over = args[0].shape if transposed else out.shape  # a transposed one does its work once an input element
    return 2 * prod(over) * prod(weight.shape[1:])


def _convolution_backward(args: Sequence[Any], out: Any) -> int:
    grad_out, weight, mask = args[0], args[2], args[-1]
    return (bool(mask[0]) + bool(mask[1])) * 2 * prod(grad_out.shape) * prod(weight.shape[1:])


_RULES: dict[str, Rule] = {
    **dict.fromkeys(("mm", "bmm", "mv"), _product),
    **dict.fromkeys(("addmm", "addmm_", "baddbmm", "baddbmm_", "addmv", "_addmm_activation"), _product_added),
    **dict.fromkeys(("convolution", "convolution_overrideable"), _convolution),
    **dict.fromkeys(("convolution_backward", "convolution_backward_overrideable"), _convolution_backward),
}


def rule(base: str) -> Rule | None:
    """The rule of an operator ("addmm"), or None when it does not count."""
    return _RULES.get(base)
