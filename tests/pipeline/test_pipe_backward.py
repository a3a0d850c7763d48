"""The order of the backward pass: dependencies, and recomputation."""

from __future__ import annotations

import threading

import pytest
import torch
from parts import machines
from torch import nn

from syncpoint import pipeline as P
from syncpoint.pipeline.checkpointing import Checkpointing
from syncpoint.pipeline.dependency import fork, join

CPU = torch.device("cpu")


class Note(torch.autograd.Function):
    """Notes when the backward pass comes by."""

    @staticmethod
    def forward(ctx, log, name, x):
        ctx.log, ctx.name = log, name
        return x.detach()

    @staticmethod
    def backward(ctx, grad):
        ctx.log.append(ctx.name)
        return None, None, grad


def test_fork_and_join_order_two_branches_on_two_devices():
    devices, log = machines(2), []
    a, b = (torch.rand(1, device=device, requires_grad=True) for device in devices)
    (a,), phony = fork((Note.apply(log, "a", a),))
    b = Note.apply(log, "b", *join((b,), phony))
    (a.to(devices[1]) + b).backward()
    assert log == ["b", "a"]


def test_no_phony_where_there_is_no_backward_pass():
    x = (torch.ones(1),)
    assert fork(x) == (x, None)
    assert join(x, None) is x
    whole = (torch.ones(1, dtype=torch.int64),)
    phony = fork((torch.ones(1, requires_grad=True) * 1,))[1]
    assert join(whole, phony) is whole


class Noting(nn.Module):
    """Notes (micro-batch, stage) when the backward pass comes by; the micro-batch is the first value."""

    def __init__(self, log, j):
        super().__init__()
        self.log, self.j = log, j

    def forward(self, x):
        return Note.apply(self.log, (int(x[0, 0]), self.j), x)


def test_each_stage_goes_backward_through_the_last_micro_batch_first():
    """Also where the gradient of micro-batch 0 is there first.

    The engine runs what was made last first. Here a part of the loss is made in another thread, which counts from 0, so
    its gradient comes last; only the dependency makes micro-batch 0 wait for micro-batch 1.
    """
    log = []
    batches = P.scatter(torch.tensor([[0.0], [1.0]], requires_grad=True), 2)
    first, second = (b.value for b in P.Pipeline([Noting(log, j) for j in range(3)], [CPU] * 3).run(batches))
    losses = []
    thread = threading.Thread(target=lambda: losses.append(second.exp().sum()))
    thread.start()
    thread.join()
    torch.autograd.backward([first.exp().sum(), losses[0]])
    for j in range(3):
        assert [i for i, stage in log if stage == j] == [1, 0]


class Telling(nn.Module):
    def __init__(self, log, name):
        super().__init__()
        self.log, self.name = log, name

    def forward(self, x):
        phase = "again" if P.is_recomputing() else "first" if P.is_checkpointing() else "plain"
        self.log.append(f"{self.name} {phase}")
        return Note.apply(self.log, f"{self.name} back", x * 1)


@pytest.mark.parametrize("kind", ["cpu", "sim"])
def test_serial_checkpoints(kind):
    device = CPU if kind == "cpu" else machines(1)[0]
    log, x = [], (torch.ones(1, device=device, requires_grad=True),)
    for name in "ab":
        layer = Telling(log, name)
        checkpointing = Checkpointing(lambda y, layer=layer: (layer(y),), device)
        x = checkpointing.recompute(x, checkpointing.checkpoint(x))
    x[0].backward()
    assert log == ["a first", "b first", "b again", "b back", "a again", "a back"]


@pytest.mark.parametrize(("mode", "times"), [("always", 6), ("except_last", 5), ("never", 3)])
def test_how_often_a_stage_runs(mode, times):
    """Of m = 3 micro-batches: 2m, 2m - 1 and m times."""
    log = []
    pipe = P.GPipe(nn.Sequential(Telling(log, "a"), Telling(log, "b")), [1, 1], machines(2), 3, mode)
    pipe(torch.ones(3, 1, device="sim:0", requires_grad=True)).sum().backward()
    for name in "ab":
        assert sum(entry in (f"{name} first", f"{name} plain", f"{name} again") for entry in log) == times


def test_nothing_is_checkpointed_without_a_backward_pass():
    log = []
    pipe = P.GPipe(nn.Sequential(Telling(log, "a")), [1], [CPU], 2, "always")
    with torch.no_grad():
        pipe(torch.ones(2, 1))
    assert log == ["a plain"] * 2


def dropout_masks(device):
    """The zeros of the forward pass, and those of the gradient."""
    torch.manual_seed(1)
    pipe = P.GPipe(nn.Sequential(nn.Dropout(0.5), nn.Dropout(0.2)), [1, 1], [device] * 2, 5, "always")
    x = torch.ones(20, 10, device=device, requires_grad=True)
    y = pipe(x)
    after = torch.rand(4, device=device).tolist()
    y.sum().backward()
    assert torch.rand(4, device=device).tolist() != after
    return (y.detach().cpu() == 0).tolist(), (x.grad.cpu() == 0).tolist()


def test_the_second_run_draws_the_same_random_numbers():
    for device in (CPU, *machines(1)):
        forth, back = dropout_masks(device)
        assert forth == back
        assert any(map(any, forth))


def test_recomputing_leaves_the_random_numbers_alone():
    """What is drawn after a backward pass does not depend on whether it recomputed."""
    drawn = []
    for mode in ("always", "never"):
        torch.manual_seed(2)
        pipe = P.GPipe(nn.Sequential(nn.Dropout(0.5)), [1], [CPU], 4, mode)
        pipe(torch.ones(4, 4, requires_grad=True)).sum().backward()
        drawn.append(torch.rand(8).tolist())
    assert drawn[0] == drawn[1]


def test_checkpointing_saves_memory():
    """Peak of the activations on a simulated device, against the formula."""
    peaks = {}
    m, size = 4, 1 << 16  # bytes of one micro-batch at any layer
    for mode in ("always", "except_last", "never"):
        machines(2)
        pipe = P.GPipe(nn.Sequential(*[nn.Tanh() for _ in range(9)]), [1, 8], ["sim:0", "sim:1"], m, mode)
        x = torch.ones(m * size // 4, device="sim:0", requires_grad=True)
        sim = torch.get_device_module("sim")
        y = pipe(x)
        kept = sim.memory_allocated(1) - y.nbytes
        y.backward(torch.ones_like(y))
        peaks[mode] = sim.max_memory_allocated(1)
        # A checkpointed micro-batch keeps its input; another one what each tanh gave. (And some empty tensors.)
        assert round(kept / size, 1) == {"always": m, "except_last": m - 1 + 8, "never": 8 * m}[mode]
    # One micro-batch has to be there in full in any case, so checkpointing the last one as well saves nothing.
    assert max(peaks["always"], peaks["except_last"]) < 0.6 * peaks["never"], peaks


def test_autograd_grad_works_through_a_checkpoint():
    pipe = P.GPipe(nn.Sequential(nn.Tanh(), nn.Tanh()), [1, 1], [CPU] * 2, 2, "always")
    x = torch.ones(2, 2, requires_grad=True)
    (grad,) = torch.autograd.grad(pipe(x).sum(), x)
    x2 = torch.ones(2, 2, requires_grad=True)
    x2.tanh().tanh().sum().backward()
    assert torch.allclose(grad, x2.grad)
