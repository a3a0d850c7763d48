"""PyTorch's own list of what synchronises (its test_torch.py::test_sync_warning), statement by statement."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

import syncpoint as sp

NO_WAIT = [
    "x.__setitem__(mask, 1.)",
    "x.__setitem__(mask_cpu, y)",
    "x.__setitem__(ind, y)",
    "x[mask_cpu]",
    "x[ind]",
    "F.one_hot(ind, num_classes=4)",
    "torch.randperm(20000, device='sim')",
    "torch.repeat_interleave(x, 2, output_size=8)",
    "torch.repeat_interleave(x, repeats, output_size=8)",
    "torch.any(y)",
]
WAIT = [
    "x.__setitem__(mask, y)",
    "x.__setitem__(ind_cpu, y)",
    "x[mask]",
    "x[ind_cpu]",
    "x.nonzero()",
    "1 if y else 0",
    "F.one_hot(ind)",
    "torch.repeat_interleave(x, repeats)",
]


def waits(statement: str) -> int:
    device = "sim"
    names = {
        "torch": torch,
        "F": F,
        "x": torch.rand(4, device=device),
        "y": torch.rand((), device=device),
        "ind": torch.tensor([0, 1, 2], device=device),
        "ind_cpu": torch.tensor([0, 1, 2]),
        "mask": torch.tensor([True, False, True, False], device=device),
        "mask_cpu": torch.tensor([True, False, True, False]),
        "repeats": torch.full((4,), 2, device=device),
    }
    with sp.trace(device="sim") as t:
        eval(statement, names)
    return len(t.waits)


@pytest.mark.parametrize("statement", NO_WAIT)
def test_does_not_wait(statement):
    assert waits(statement) == 0


@pytest.mark.parametrize("statement", WAIT)
def test_waits(statement):
    assert waits(statement) > 0
