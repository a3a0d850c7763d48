"""Results and gradients are those of the model without a pipeline."""

from __future__ import annotations

import copy

import pytest
import torch
from parts import gradients, machines, network, whole_numbers
from torch import nn

import syncpoint as sp
from syncpoint import pipeline as P

MODES = ["always", "except_last", "never"]


def places(kind: str, n: int) -> list[torch.device]:
    return [torch.device("cpu")] * n if kind == "cpu" else machines(n, copy_us=1)


def by_micro_batches(model, x, chunks, weight):
    """The model without a pipeline on each micro-batch, backward from the last to the first, as the pipeline does."""
    pieces = [piece.value for piece in P.scatter(x, chunks)]
    results = [model(piece) for piece in pieces]
    grads = (torch.cat(results) * weight).detach()
    for y, g in reversed(list(zip(results, grads.split([len(y) for y in results]), strict=True))):
        y.backward(g)
    return torch.cat([y.detach() for y in results])


@pytest.mark.parametrize("kind", ["cpu", "sim"])
@pytest.mark.parametrize("checkpoint", MODES)
@pytest.mark.parametrize(("balance", "chunks"), [([7], 1), ([7], 3), ([3, 4], 4), ([1, 2, 4], 3), ([1] * 7, 5)])
def test_to_the_bit(kind, checkpoint, balance, chunks):
    model = network()
    reference = copy.deepcopy(model)
    devices = places(kind, len(balance))
    x, weight = torch.randn(11, 6), 0.75
    wanted = by_micro_batches(reference, x, chunks, weight)
    pipe = P.GPipe(model, balance, devices, chunks, checkpoint)
    with sp.trace(device="sim") as t:
        y = pipe(x.to(devices[0]))
        torch.autograd.backward(y, y.detach() * weight)
    assert [str(race) for race in t.races] == []
    assert torch.equal(y.detach().cpu(), wanted)
    assert all(map(torch.equal, gradients(pipe), gradients(reference)))


@pytest.mark.parametrize("chunks", [1, 2, 5, 12, 40])
def test_exact_numbers_give_the_same_as_the_whole_batch(chunks):
    """With whole numbers no sum is rounded, so cutting the batch makes no difference at all."""
    model = whole_numbers(nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2)))
    reference, x = copy.deepcopy(model), torch.randint(-3, 4, (12, 5)).float()
    y = P.GPipe(model, [2, 2, 1], ["cpu"] * 3, chunks)(x)
    wanted = reference(x)
    y.sum().backward()
    wanted.sum().backward()
    assert torch.equal(y, wanted)
    assert all(map(torch.equal, gradients(model), gradients(reference)))


def test_training_is_the_same_step_after_step():
    model = network()
    reference = copy.deepcopy(model)
    pipe = P.GPipe(model, [2, 3, 2], machines(3), 4)
    ours, theirs = (torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9) for m in (pipe, reference))
    for _ in range(5):
        x = torch.randn(8, 6)
        ours.zero_grad()
        theirs.zero_grad()
        y = pipe(x.to("sim:0"))
        y.backward(y.detach() * 0.5)
        by_micro_batches(reference, x, 4, 0.5)
        ours.step()
        theirs.step()
    assert all(torch.equal(a.cpu(), b) for a, b in zip(pipe.parameters(), reference.parameters(), strict=True))


class Pair(nn.Module):
    """A tuple in, a tuple out; whole numbers travel beside."""

    def forward(self, pair):
        x, index = pair
        return x * 2 + index.unsqueeze(1), index + 1


class First(nn.Module):
    def forward(self, pair):
        return pair[0] + pair[1].unsqueeze(1)


@pytest.mark.parametrize("kind", ["cpu", "sim"])
@pytest.mark.parametrize("checkpoint", MODES)
def test_tuples_with_whole_numbers(kind, checkpoint):
    devices = places(kind, 4)
    pipe = P.GPipe(nn.Sequential(Pair(), Pair(), Pair(), First()), [1] * 4, devices, 3, checkpoint)
    x = torch.ones(6, 2, device=devices[0], requires_grad=True)
    index = torch.arange(6, device=devices[0])
    y = pipe((x, index))
    y.sum().backward()
    i = torch.arange(6.0).unsqueeze(1)
    assert torch.equal(y.detach().cpu(), (8 + 4 * i + 2 * (i + 1) + (i + 2) + (i + 3)).expand(6, 2))
    assert x.grad.cpu().tolist() == [[8.0, 8.0]] * 6


def test_without_gradients_nothing_is_kept():
    pipe = P.GPipe(network(), [3, 4], machines(2), 2, "always")
    with torch.no_grad():
        y = pipe(torch.ones(4, 6, device="sim:0"))
    assert not y.requires_grad
    with torch.inference_mode():
        assert pipe(torch.ones(4, 6, device="sim:0")).is_inference()


@pytest.mark.parametrize("kind", ["cpu", "sim"])
def test_in_place_layers_at_a_cut(kind):
    devices = places(kind, 3)
    model = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True), nn.Linear(3, 3))
    reference = copy.deepcopy(model)
    x = torch.randn(6, 3)
    pipe = P.GPipe(model, [1, 1, 1], devices, 2, "never")
    y = pipe(x.to(devices[0]))
    y.backward(y.detach() * 0.5)
    by_micro_batches(reference, x, 2, 0.5)
    assert all(map(torch.equal, gradients(pipe), gradients(reference)))


def test_batches_of_any_size():
    pipe = P.GPipe(network(), [3, 4], ["cpu", "cpu"], 4)
    for size in (0, 1, 3, 4, 5):
        assert pipe(torch.ones(size, 6)).shape == (size, 3)
    assert [len(piece) for piece in P.scatter(torch.ones(7), 3)] == [3, 2, 2]
    assert [len(piece) for piece in P.scatter(torch.ones(2), 3)] == [1, 1]
    assert P.scatter(torch.ones(4), 2)[1].value.untyped_storage().data_ptr()  # a view, not a copy


def test_a_cpu_stage_beside_a_simulated_one():
    machines(2)
    model = network()
    reference = copy.deepcopy(model)
    pipe = P.GPipe(model, [2, 2, 3], ["cpu", "sim:1", "cpu"], 2)
    x = torch.randn(4, 6)
    y = pipe(x)
    y.backward(y.detach() * 2)
    wanted = by_micro_batches(reference, x, 2, 2)
    assert torch.equal(y, wanted)
    assert all(map(torch.equal, gradients(pipe), gradients(reference)))


def test_autocast_reaches_the_workers():
    """Grad mode and autocast belong to a thread; a stage sees those of the caller."""
    pipe = P.GPipe(nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)), [1, 1], ["cpu", "cpu"], 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert pipe(torch.ones(2, 4)).dtype == torch.bfloat16
    assert pipe(torch.ones(2, 4)).dtype == torch.float32


@pytest.mark.parametrize("kind", ["cpu", "sim"])
def test_autocast_reaches_the_second_run(kind):
    """A checkpointed stage runs again after the caller has left autocast: same values, same gradients."""
    grads = []
    for mode in MODES:
        devices = places(kind, 2)
        pipe = P.GPipe(network(), [3, 4], devices, 2, mode)
        x = torch.linspace(-1, 1, 24).reshape(4, 6).to(devices[0])
        with torch.autocast(devices[0].type, dtype=torch.bfloat16):
            y = pipe(x)
        y.float().pow(2).sum().backward()
        grads.append(gradients(pipe))
    assert y.dtype == torch.bfloat16
    for other in grads[1:]:
        assert all(map(torch.equal, grads[0], other))


def test_autocast_around_the_backward_pass_does_not_change_the_second_run():
    grads = []
    for mode in ("never", "always"):
        pipe = P.GPipe(network(), [3, 4], ["cpu", "cpu"], 2, mode)
        y = pipe(torch.ones(4, 6))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y.sum().backward()
        grads.append(gradients(pipe))
    assert all(map(torch.equal, *grads))


class Lost(nn.BatchNorm1d):
    """A batch norm that tells which rows it saw together."""

    def forward(self, x):
        self.seen = [*getattr(self, "seen", []), len(x)]
        return super().forward(x)


def test_a_batch_norm_is_not_transparent():
    """The caveat: it takes mean and variance over the micro-batch, so cutting the batch changes its result."""
    torch.manual_seed(0)
    model = nn.Sequential(Lost(3), nn.Identity())
    reference, x = copy.deepcopy(model), torch.randn(8, 3)
    y = P.GPipe(model, [1, 1], ["cpu", "cpu"], 4, "never")(x)
    assert model[0].seen == [2, 2, 2, 2]
    assert not torch.allclose(y, reference(x), atol=0.1)
    assert torch.allclose(y, torch.cat([reference(piece) for piece in x.chunk(4)]), atol=1e-6)
    assert model[0].num_batches_tracked == 4  # where the whole batch counts once
    model.eval()
    reference.load_state_dict(model.state_dict())
    reference.eval()  # in evaluation the running statistics are used, and it is transparent again
    assert torch.allclose(P.GPipe(model, [1, 1], ["cpu", "cpu"], 4)(x), reference(x), atol=1e-6)


def test_a_checkpointed_batch_norm_counts_twice():
    model = nn.Sequential(nn.BatchNorm1d(3), nn.Identity())
    P.GPipe(model, [1, 1], ["cpu", "cpu"], 4, "always")(torch.randn(8, 3)).sum().backward()
    assert model[0].num_batches_tracked == 8
