"""A conjugate is a view with a mark on it, and so is its imaginary part: no operator may lose the mark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

import syncpoint as sp

Tensor = torch.Tensor

READS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "times": lambda z, w: z.conj() * w,
    "plus a number": lambda z, w: z.conj() + 1,
    "itself": lambda z, w: z.conj(),
    "resolved": lambda z, w: z.conj().resolve_conj(),
    "cloned": lambda z, w: z.conj().clone(),
    "twice": lambda z, w: z.conj().conj() * w,
    "a slice": lambda z, w: z.conj()[1:, ::2] * 2,
    "transposed product": lambda z, w: z.mH @ w,
    "inner product": lambda z, w: torch.vdot(z.flatten(), w.flatten()),
    "imaginary part": lambda z, w: z.conj().imag,
    "imaginary part times": lambda z, w: z.conj().imag * 2,
    "real part times": lambda z, w: z.conj().real * 2,
    "size": lambda z, w: z.conj().abs(),
    "an element": lambda z, w: torch.tensor(z.conj()[0, 1].item()),
    "another precision": lambda z, w: z.conj().to(torch.complex128),
    "stacked": lambda z, w: torch.stack([z.conj(), w]),
    "where": lambda z, w: torch.where(z.real > 0, z.conj(), w),
}


@pytest.fixture
def pair() -> tuple[Tensor, Tensor]:
    sp.sim.enable()
    made = torch.Generator().manual_seed(5)
    z, w = (torch.randn(4, 4, dtype=torch.complex64, generator=made) for _ in range(2))
    return z, w


@pytest.mark.parametrize("name", READS)
def test_values_are_the_cpus(name: str, pair: tuple[Tensor, Tensor]) -> None:
    z, w = pair
    assert torch.equal(READS[name](z.to("sim"), w.to("sim")).cpu(), READS[name](z, w))


def test_writing_through_a_mark(pair: tuple[Tensor, Tensor]) -> None:
    for device in ("cpu", "sim"):
        z, w = (x.clone().to(device) for x in pair)
        z.conj().mul_(2 + 1j)
        z[0].conj().copy_(w[0])
        z[1].conj().imag.fill_(3.0)
        if device == "cpu":
            expected = z
    assert torch.equal(z.cpu(), expected)


def test_a_marked_tensor_crosses(pair: tuple[Tensor, Tensor]) -> None:
    z, _ = pair
    assert torch.equal(z.conj().to("sim").cpu(), z.conj())
    assert torch.equal(z.conj().imag.to("sim").cpu(), z.conj().imag)
    assert torch.equal(z.to("sim").conj().to("sim:0", dtype=torch.complex128).cpu(), z.conj().to(torch.complex128))
    out = torch.zeros_like(z)
    assert torch.equal(out.copy_(z.to("sim").conj()), z.conj())


def test_gradients_of_conjugates(pair: tuple[Tensor, Tensor]) -> None:
    z, w = pair
    grads = []
    for device in ("cpu", "sim"):
        x = z.clone().to(device).requires_grad_()
        (x.conj() * w.to(device)).sum().abs().backward()
        grads.append(x.grad.cpu())
    assert torch.equal(*grads)
