"""The same model on PyTorch's own engine, in two processes, gives the same losses."""

from __future__ import annotations

import re

import pytest
import torch

from syncpoint.pipeline import distributed


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["1f1b", "gpipe"])
def test_two_processes_give_the_same_losses(schedule, capfd, monkeypatch):
    if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
        pytest.skip("this PyTorch has no torch.distributed with gloo")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert distributed.main(["--schedule", schedule, "--steps", "4"]) == 0
    out = capfd.readouterr().out
    assert "The losses are the same: at most 0.0e+00 apart" in out
    rows = re.findall(r"^ +\d+ +(\d\.\d+) +(\d\.\d+)$", out, re.MULTILINE)
    assert len(rows) == 4
    assert all(here == there for here, there in rows)


def test_the_loss_falls_here():
    losses = distributed.train_here("1f1b", 10)
    assert losses[-1] < 0.7 * losses[0]
    assert losses == pytest.approx(distributed.train_here("gpipe", 10), rel=1e-5)


def test_different_losses_are_an_error(monkeypatch, capsys):
    monkeypatch.setattr(distributed, "train_there", lambda schedule, steps: [1.0] * steps)
    assert distributed.main(["--steps", "2"]) == 1
    assert "NOT the same" in capsys.readouterr().out
