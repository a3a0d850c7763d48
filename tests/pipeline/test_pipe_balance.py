"""Cutting a model well: the best partition, and measurements that change nothing."""

from __future__ import annotations

from itertools import combinations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from parts import Work, machines
from torch import nn

import syncpoint as sp
from syncpoint import pipeline as P


@given(st.lists(st.integers(0, 9), min_size=1, max_size=7), st.integers(1, 7))
def test_no_other_cut_is_better(costs, n):
    k = len(costs)
    if n > k:
        with pytest.raises(ValueError, match=f"{k} layers can't be cut into {n} stages"):
            P.partition(costs, n)
        return

    def worst(sizes):
        ends = [sum(sizes[:at]) for at in range(len(sizes) + 1)]
        return max(sum(costs[a:b]) for a, b in zip(ends, ends[1:], strict=False))

    sizes = P.partition(costs, n)
    assert len(sizes) == n
    assert sum(sizes) == k
    assert min(sizes) >= 1
    cuts = ((0, *inner, k) for inner in combinations(range(1, k), n - 1))
    assert worst(sizes) == min(worst([b - a for a, b in zip(cut, cut[1:], strict=False)]) for cut in cuts)


def test_negative_costs():
    with pytest.raises(ValueError, match="a cost is negative"):
        P.partition([1, -1], 1)


def test_by_time_on_virtual_time_is_exact():
    (device,) = machines(1)
    model = nn.Sequential(*[Work(us, 2 * us) for us in (10, 10, 30, 10, 20, 20)])
    assert P.layer_times_us(model, torch.ones(2, 2), device) == [30, 30, 90, 30, 60, 60]
    assert P.balance_by_time(3, model, torch.ones(2, 2), device) == [2, 2, 2]
    assert P.span_uneven(8, [20, 40, 40]) < P.span_uneven(8, [50, 30, 20])


def test_by_time_on_the_cpu_gives_a_cut():
    model = nn.Sequential(*[nn.Linear(4, 4) for _ in range(5)])
    assert sum(P.balance_by_time(2, model, torch.ones(2, 4))) == 5


@pytest.mark.parametrize("device", ["cpu", "sim"])
def test_by_size_latent(device):
    """Six layers that keep one tensor more each; the last stage gets what is left."""
    model = nn.Sequential(*[Keeps(times) for times in (1, 2, 3, 4, 5, 6)])
    sizes = P.layer_sizes(model, torch.ones(16, 8), device=device)
    assert [size // (16 * 8 * 4) for size in sizes] == [1, 2, 3, 4, 5, 6]
    assert P.balance_by_size(2, model, torch.ones(16, 8), device=device) == [4, 2]
    assert P.layer_sizes(model, torch.ones(16, 8), chunks=4, device=device)[0] == 4 * 8 * 4


class Keeps(nn.Module):
    """Saves ``times`` tensors of its input's size."""

    def __init__(self, times):
        super().__init__()
        self.times = times

    def forward(self, x):
        for _ in range(self.times):
            x = x.tanh()
        return x


@pytest.mark.parametrize("device", ["cpu", "sim"])
def test_by_size_parameters_and_their_scale(device):
    model = nn.Sequential(*[nn.Linear(width, width, bias=False) for width in (32, 32, 32, 32)], nn.Flatten())
    one = P.layer_sizes(model, torch.ones(1, 32), param_scale=0, device=device)
    two = P.layer_sizes(model, torch.ones(1, 32), param_scale=3, device=device)
    assert [b - a for a, b in zip(one, two, strict=True)] == [3 * 32 * 32 * 4] * 4 + [0]
    assert P.balance_by_size(2, model, torch.ones(1, 32), device=device) == [2, 3]


@pytest.mark.parametrize("device", ["cpu", "sim"])
def test_tuples(device):
    class Twist(nn.Module):
        def forward(self, pair):
            return pair[1].tanh(), pair[0].tanh()

    pair = torch.ones(4, 2), torch.ones(4, 3)
    assert P.layer_sizes(nn.Sequential(Twist(), Twist()), pair, device=device) == [4 * 5 * 4] * 2
    assert len(P.layer_times_us(nn.Sequential(Twist(), Twist()), pair, device)) == 2


@pytest.mark.parametrize("device", ["cpu", "sim"])
def test_measuring_changes_nothing(device):
    model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5)).to(device)
    model[2].eval()
    x = torch.randn(8, 3)
    model(x.to(device)).sum().backward()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    grads = [p.grad.clone() for p in model.parameters()]
    P.balance_by_time(2, model, x, device)
    P.balance_by_size(2, model, x, device=device)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert all(torch.equal(p.grad, g) for p, g in zip(model.parameters(), grads, strict=True))
    assert (model[1].training, model[2].training) == (True, False)
    assert not x.requires_grad


def test_sizes_are_what_the_device_allocates():
    """Layer by layer, against the simulated device's own books."""
    sp.sim.use(chip="T4")
    sim = torch.get_device_module("sim")
    layers = [nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64), nn.Tanh()]
    x = torch.ones(32, 64)
    told = sum(P.layer_sizes(nn.Sequential(*layers), x, param_scale=0, device="sim"))
    model = nn.Sequential(*layers).to("sim")
    start = x.to("sim").requires_grad_()
    before = sim.memory_allocated()
    y = model(start)
    assert sim.memory_allocated() - before == told - start.nbytes
    assert y.shape == (32, 64)
