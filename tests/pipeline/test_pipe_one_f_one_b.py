"""1F1B: the gradients of the whole batch, GPipe's time, less memory; wrong orders are told."""

from __future__ import annotations

import copy

import pytest
import torch
from parts import Work, gradients, machines, network
from torch import nn
from torch.nn.functional import mse_loss

import syncpoint as sp
from syncpoint import pipeline as P


def stages_of(model, balance):
    return P.split(model, balance)


def by_micro_batches(model, x, target, chunks, order):
    """Mean loss and gradients without a pipeline; backward in the given order of micro-batches."""
    pieces = list(zip(P.scatter(x, chunks), P.scatter(target, chunks), strict=True))
    losses = [mse_loss(model(a.value), b.value) * (len(a) / len(x)) for a, b in pieces]
    for i in order:
        losses[i].backward()
    return torch.stack([loss.detach() for loss in losses]).sum()


@pytest.mark.parametrize("kind", ["cpu", "sim"])
@pytest.mark.parametrize("schedule", ["1f1b", "gpipe"])
@pytest.mark.parametrize(("balance", "chunks"), [([7], 2), ([3, 4], 4), ([2, 2, 3], 2), ([1] * 7, 5)])
def test_to_the_bit(kind, schedule, balance, chunks):
    model = network()
    reference, x, target = copy.deepcopy(model), torch.randn(11, 6), torch.randn(11, 3)
    n = len(balance)
    devices = ["cpu"] * n if kind == "cpu" else machines(n, copy_us=3)
    step = P.TrainStep(stages_of(model, balance), devices, mse_loss, chunks, schedule)
    given = x.to(devices[0]), target.to(devices[-1])
    with sp.trace(device="sim") as t:
        loss = step(*given)
    order = range(chunks) if schedule == "1f1b" else reversed(range(chunks))
    assert torch.equal(loss.cpu(), by_micro_batches(reference, x, target, chunks, order))
    assert torch.allclose(loss.cpu(), mse_loss(reference(x), target))
    assert all(map(torch.equal, gradients(model), gradients(reference)))
    assert [str(race) for race in t.races] == []
    assert not t.waits


@pytest.mark.parametrize("schedule", ["1f1b", "gpipe"])
@pytest.mark.parametrize(("m", "n"), [(4, 2), (8, 4), (3, 4), (1, 3)])
def test_both_schedules_take_the_same_time(schedule, m, n):
    """(m + n - 1) (f + b): nothing is gained in time."""
    devices = machines(n)
    step = P.TrainStep([Work(3, 5) for _ in range(n)], devices, mse_loss, m, schedule)
    x = torch.ones(m, 2, device=devices[0])
    with sp.trace(device="sim") as t:
        step(x, torch.zeros(m, 2, device=devices[-1]))
    assert t.elapsed_us == P.ticks(m, n) * (3 + 5)


class Fat(nn.Module):
    """Keeps one tensor of a micro-batch's size until its backward pass."""

    def forward(self, x):
        return x.tanh()


def kept(schedule, m, n, size=1 << 16):
    """Peak of each stage's memory, in tensors of one micro-batch."""
    devices = machines(n)
    step = P.TrainStep([nn.Sequential(Fat(), Fat(), Fat(), Fat()) for _ in range(n)], devices, mse_loss, m, schedule)
    x = torch.ones(m, size // 4, device=devices[0])
    target = torch.zeros(m, size // 4, device=devices[-1])
    sim = torch.get_device_module("sim")
    before = [sim.memory_allocated(j) for j in range(n)]
    step(x, target)
    return [(sim.max_memory_allocated(j) - before[j]) / size for j in range(n)]


def test_1f1b_keeps_at_most_n_minus_j_micro_batches():
    m, n = 16, 4
    gpipe, ours = kept("gpipe", m, n), kept("1f1b", m, n)
    for j in range(1, n - 1):  # the ends have inputs and losses besides
        each = 5  # tensors that a stage keeps for one micro-batch: its input, and what its four layers gave
        assert gpipe[j] == pytest.approx(m * each, rel=0.3)
        assert ours[j] == pytest.approx((n - j) * each, abs=4)
        assert ours[j] < 0.4 * gpipe[j]
    assert kept("1f1b", 32, n)[1] == pytest.approx(ours[1], rel=0.01)  # more micro-batches need no more memory
    assert kept("gpipe", 32, n)[1] > 1.8 * gpipe[1]


def test_the_same_training_as_gpipe():
    """GPipe's autograd schedule and this one: the same losses, for a whole number of equal micro-batches."""
    one, two = network(), network()
    pipe = P.GPipe(one, [3, 4], ["cpu", "cpu"], 4)
    step = P.TrainStep(stages_of(two, [3, 4]), ["cpu", "cpu"], mse_loss, 4)
    ours, theirs = torch.optim.SGD(one.parameters(), 0.1), torch.optim.SGD(two.parameters(), 0.1)
    for _ in range(10):
        x, target = torch.randn(8, 6), torch.randn(8, 3)
        ours.zero_grad()
        theirs.zero_grad()
        loss = mse_loss(pipe(x), target)
        loss.backward()
        assert torch.allclose(step(x, target), loss.detach(), rtol=1e-5)
        ours.step()
        theirs.step()


def test_lists_that_disagree_are_a_deadlock():
    """Stage 0 sends 0 first and waits for its gradient; stage 1 wants 1 first. Nobody can go on, and it says who."""
    S = P.Step
    wrong = [[S("F", 0), S("B", 0), S("F", 1), S("B", 1)], [S("F", 1), S("B", 1), S("F", 0), S("B", 0)]]
    step = P.TrainStep([nn.Linear(1, 1), nn.Linear(1, 1)], ["cpu", "cpu"], mse_loss, 2, wrong)
    with pytest.raises(P.Deadlock) as caught:
        step(torch.ones(2, 1), torch.ones(2, 1))
    assert "stage 0, step 1, waits for the gradient of micro-batch 0 from stage 1" in str(caught.value)
    assert "stage 1, step 0, waits for the result of micro-batch 1 from stage 0" in str(caught.value)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([["F0"], ["F0", "B0"]], "stage 0 has 1 F and 0 B of micro-batch 0"),
        ([["F0", "B0"], ["B0", "F0"]], "stage 1 has the backward step of micro-batch 0 before its forward step"),
    ],
)
def test_lists_that_are_not_a_schedule(lists, message):
    steps = [[P.Step(text[0], int(text[1])) for text in lane] for lane in lists]
    with pytest.raises(ValueError, match=message):
        P.TrainStep([nn.Linear(1, 1), nn.Linear(1, 1)], ["cpu", "cpu"], mse_loss, 1, steps)(
            torch.ones(1, 1), torch.ones(1, 1)
        )


def test_a_device_for_each_stage():
    with pytest.raises(ValueError, match="there are 1 stages and 2 devices"):
        P.TrainStep([nn.Identity()], ["cpu", "cpu"], mse_loss, 1)
