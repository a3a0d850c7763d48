"""An index out of range is heard of at the next wait, or at once in blocking mode."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

import syncpoint as sp

CALLS = {
    "label": lambda i: F.nll_loss(torch.zeros(3, 10, device="sim"), i),
    "embedding": lambda i: F.embedding(i, torch.zeros(10, 4, device="sim")),
    "index": lambda i: torch.zeros(10, device="sim")[i],
    "gather": lambda i: torch.zeros(10, device="sim").gather(0, i),
    "scatter": lambda i: torch.zeros(10, device="sim").scatter_(0, i, torch.ones(3, device="sim")),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_wait_raises_and_names_the_real_line(name):
    bad = torch.tensor([1, 2, 10], device="sim")
    with sp.trace():
        out = CALLS[name](bad)
        assert out.is_sim
        out + 1
        with pytest.raises(RuntimeError, match="device-side assert triggered: .*test_asserts.py, line.*only waited"):
            out.sum().item()
    assert torch.ones(2, device="sim").sum().item() == 2


@pytest.mark.parametrize("name", CALLS)
def test_blocking_mode_raises_at_the_call(name, monkeypatch):
    monkeypatch.setenv("SYNCPOINT_LAUNCH_BLOCKING", "1")
    bad = torch.tensor([1, 2, 10], device="sim")
    with pytest.raises(RuntimeError, match="device-side assert triggered"):
        CALLS[name](bad)


def test_synchronising_is_a_wait_too_and_training_code_meets_it_late():
    model = torch.nn.Linear(4, 10).to("sim")
    labels = torch.tensor([3, 10]).to("sim")
    loss = F.cross_entropy(model(torch.ones(2, 4, device="sim")), labels)
    loss.backward()
    with pytest.raises(RuntimeError, match="SYNCPOINT_LAUNCH_BLOCKING=1"):
        torch.sim.synchronize()


def test_shapes_that_do_not_fit_are_raised_at_once():
    with pytest.raises(RuntimeError, match="must match the size"):
        torch.zeros(3, device="sim") + torch.zeros(4, device="sim")
