"""What a pipeline needs of streams: copies and waits inside autograd, across streams and devices, in both directions.

These are the behaviours that torchgpipe's tests ask of CUDA and skip on a machine without it. A sleep on the source's
stream before each copy makes a missing wait visible: the reader would see poison, and the trace a race.
"""

from __future__ import annotations

import pytest
import torch
from torch.utils.checkpoint import checkpoint

import syncpoint as sp


class Copy(torch.autograd.Function):
    """Copies to the device of the next stream, forth and back, on streams of its own."""

    @staticmethod
    def forward(ctx, before, after, x):
        ctx.streams = before, after
        with torch.sim.stream(before), torch.sim.stream(after):
            y = x.to(torch.device("sim", after.device_index), copy=True)
        x.record_stream(before)
        y.record_stream(torch.sim.current_stream(y.device))
        return y

    @staticmethod
    def backward(ctx, grad):
        before, after = ctx.streams
        with torch.sim.stream(after), torch.sim.stream(before):
            back = grad.to(torch.device("sim", before.device_index), copy=True)
        grad.record_stream(after)
        back.record_stream(torch.sim.current_stream(back.device))
        return None, None, back


class Wait(torch.autograd.Function):
    """Forth: the next stream waits for the one before. Back: the other way round."""

    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.streams = before, after
        after.wait_stream(before)
        return tuple(t.detach() for t in tensors)

    @staticmethod
    def backward(ctx, *grads):
        before, after = ctx.streams
        before.wait_stream(after)
        return None, None, *grads


@pytest.fixture(params=[1, 2], ids=["one device", "two devices"])
def last(request):
    sp.sim.use(chip="A100", devices=request.param)
    return request.param - 1


def test_copy_and_wait_carry_values_and_gradients(last):
    compute, then = torch.sim.default_stream("sim:0"), torch.sim.default_stream(f"sim:{last}")
    copier = torch.Stream(device=f"sim:{last}")
    x = torch.ones(4, device="sim:0", requires_grad=True)
    with sp.trace(device="sim") as t:
        torch.sim.sleep(1000)
        (x2,) = Wait.apply(compute, copier, x * 3)
        y = Copy.apply(compute, copier, x2)
        (y,) = Wait.apply(copier, then, y)
        (y * 2).sum().backward()
    torch.sim.synchronize(0)
    torch.sim.synchronize(last)
    assert y.device.index == last
    assert y.detach().cpu().tolist() == [3] * 4
    assert x.grad.cpu().tolist() == [6] * 4
    assert [str(race) for race in t.races] == []


@pytest.mark.parametrize("missing", ["before the copy", "after the copy"])
def test_a_missing_wait_is_found_with_the_line(missing):
    sp.sim.use(devices=1)
    compute, copier = torch.sim.default_stream(), torch.Stream(device="sim")
    x = torch.ones(1000, 1000, device="sim")
    with sp.trace(device="sim") as t:
        y = x @ x
        if missing != "before the copy":
            copier.wait_stream(compute)
        z = Copy.apply(compute, copier, y)
        if missing != "after the copy":
            compute.wait_stream(copier)
        z + 1
    assert t.races
    race = t.races[0]
    assert race.kind == "read before the write has finished"
    assert race.first.source.startswith("y = x @ x" if missing == "before the copy" else "y = x.to(torch.device(")


def test_waiting_covers_every_tensor_of_a_tuple():
    sp.sim.use(devices=2)
    side, compute = torch.Stream(device="sim:1"), torch.sim.default_stream("sim:1")
    with sp.trace(device="sim") as t:
        side.wait_stream(compute)
        with torch.sim.stream(side):
            a, b = torch.ones(3, device="sim:1"), torch.ones(5, device="sim:1")
            torch.sim.sleep(500, "sim:1")
            a, b = a + 1, b + 2
        a, b = Wait.apply(side, compute, a, b)
        a.record_stream(compute)
        b.record_stream(compute)
        total = (a.sum() + b.sum()).item()
    assert total == 6 + 15
    assert not t.races


def test_backward_of_two_branches_keeps_the_order_of_a_dependency():
    """Fork and join through an empty tensor: the second branch's backward comes first."""
    order = []

    class Note(torch.autograd.Function):
        @staticmethod
        def forward(ctx, number, x, *after):
            ctx.number, ctx.others = number, len(after)
            return x.detach()

        @staticmethod
        def backward(ctx, grad):
            order.append(ctx.number)
            return None, grad, *([torch.zeros(0, device=grad.device)] * ctx.others)

    class Fork(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.detach(), torch.empty(0, device=x.device)

        @staticmethod
        def backward(ctx, grad, _):
            return grad

    sp.sim.use(devices=2)
    a = torch.ones(2, device="sim:0", requires_grad=True)
    b = torch.ones(2, device="sim:1", requires_grad=True)
    first, phony = Fork.apply(Note.apply(1, a))
    second = Note.apply(2, b, phony.to("sim:1"))
    (first.sum() + second.sum().to("sim:0")).backward()
    assert order == [2, 1]


def test_a_shifted_view_is_recorded_with_its_storage():
    x, side = torch.ones(1000, 1000, device="sim"), torch.Stream(device="sim")
    side.wait_stream(torch.sim.current_stream())
    with sp.trace(device="sim") as t:
        with side:
            y = x[1:] * 2
        x[1:].record_stream(side)
        del x
    torch.sim.synchronize()
    assert not t.races
    assert y.sum().item() == 2 * 999 * 1000


def test_random_numbers_in_a_checkpoint_are_drawn_again():
    masks = []

    def layer(x):
        out = torch.nn.functional.dropout(x, 0.5)
        masks.append((out == 0).cpu().tolist())
        return out * x

    x = torch.ones(16, device="sim", requires_grad=True)
    checkpoint(layer, x, use_reentrant=False).sum().backward()
    assert len(masks) == 2
    assert masks[0] == masks[1]
