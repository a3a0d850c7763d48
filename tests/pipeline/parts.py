"""What the tests of the pipeline build with: a chip where only what they want takes time, and layers."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import torch
from torch import nn

import syncpoint as sp


def free_chip(copy_us: float = 0.0):
    """Launches, kernels and waits cost nothing; a copy between devices costs ``copy_us``; the host is never late."""
    ticks = sp.sim.chips.get("ticks")
    rates = {"float32": inf}
    return replace(
        ticks, name="free", kernel_us=0.0, matmul_us=0.0, memory_gbs=inf, l2_gbs=inf, tflops=rates, matmul_tflops=rates,
        link=replace(ticks.link, latency_us=float(copy_us)),
        host=replace(ticks.host, cpu_op_us=0.0, memory_gbs=inf, gflops=inf), queue_depth=1 << 20,
    )  # fmt: skip


def machines(n: int, copy_us: float = 0.0) -> list[torch.device]:
    """n devices on which only ``Work`` and copies take time."""
    sp.sim.use(chip=free_chip(copy_us), devices=n)
    return [torch.device("sim", index) for index in range(n)]


class Busy(torch.autograd.Function):
    """The same values, after so many virtual microseconds; and the same on the way back."""

    @staticmethod
    def forward(ctx, x, forward_us, backward_us):
        ctx.backward_us = backward_us
        _sleep(x, forward_us)
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        _sleep(grad, ctx.backward_us)
        return grad.clone(), None, None


def _sleep(x, us):
    if us and x.device.type == "sim":
        torch.get_device_module("sim").sleep(us, x.device)


class Work(nn.Module):
    """A layer with one weight that takes a known time."""

    def __init__(self, forward_us: float = 0.0, backward_us: float = 0.0, weight: float = 1.0) -> None:
        super().__init__()
        self.forward_us, self.backward_us = forward_us, backward_us
        self.weight = nn.Parameter(torch.tensor(weight))

    def forward(self, x):
        return Busy.apply(x * self.weight, self.forward_us, self.backward_us)


def network(seed: int = 0) -> nn.Sequential:
    """Six layers with parameters, a nonlinearity that saves its output, one that saves its input."""
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3)
    )


def whole_numbers(model: nn.Module) -> nn.Module:
    """Small whole numbers as weights: sums of them are exact in any order."""
    with torch.no_grad():
        for p in model.parameters():
            p.copy_((p * 8).round().clamp(-2, 2))
    return model


def gradients(model: nn.Module) -> list[torch.Tensor]:
    return [p.grad.detach().cpu() for p in model.parameters()]
