"""Gathering and scattering move what they pick, not all they pick from."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

import syncpoint as sp

ROWS, WIDTH, PICKED = 60_000, 784, 64


def moved(call) -> int:
    with sp.trace(device="sim") as t:
        call()
    (launch,) = t.launches
    return launch.bytes


@pytest.mark.parametrize(
    "call",
    [
        lambda x, i: x[i],
        lambda x, i: x.index_select(0, i),
        lambda x, i: F.embedding(i, x),
        lambda x, i: x.gather(0, i[:, None].expand(PICKED, WIDTH)),
        lambda x, i: x.index_add_(0, i, torch.zeros(PICKED, WIDTH).to("sim")),
    ],
)
def test_few_rows_of_a_large_tensor(call):
    x, i = torch.zeros(ROWS, WIDTH, device="sim"), torch.arange(PICKED, device="sim")
    picked = PICKED * WIDTH * 4
    with sp.trace(device="sim") as t:
        call(x, i)
    assert picked <= t.launches[-1].bytes <= 4 * picked


def test_rows_of_a_large_cpu_tensor_cost_the_host_little():
    x, i = torch.zeros(ROWS, WIDTH), torch.arange(PICKED)
    with sp.trace(device="sim") as t:
        x[i]
    assert t.host_ops[-1].bytes < 4 * PICKED * WIDTH * 4


def test_other_operators_move_all_they_are_given():
    x = torch.zeros(1000, device="sim")
    assert moved(lambda: x + x) == 3 * 4000
    assert moved(lambda: x.add_(1)) == 2 * 4000
    assert moved(lambda: x.fill_(1)) == 4000
    assert moved(lambda: x.sum()) == 4004
