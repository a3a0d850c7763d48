"""Streams, copies and waits on simulated devices: what the first in-process pipeline's tests ask of CUDA.

A sleep on the stream that others must wait for makes a missing wait visible: the reader would find NaN, the trace a
race.
"""

from __future__ import annotations

import pytest
import torch
from parts import Work, machines
from torch import nn

import syncpoint as sp
from syncpoint import pipeline as P
from syncpoint.pipeline.copying import move
from syncpoint.pipeline.streams import (
    HostStream,
    current_stream,
    device_of,
    new_stream,
    record_stream,
    use_stream,
    wait_stream,
)

CPU = torch.device("cpu")


def sleep(device, us=500):
    torch.get_device_module("sim").sleep(us, device)


def test_streams_of_the_cpu_are_stand_ins():
    assert new_stream(CPU) == current_stream(CPU) == HostStream(CPU)
    with use_stream(new_stream(CPU)):
        record_stream(torch.ones(1), current_stream(CPU))
    assert device_of(new_stream(CPU)) == CPU


def test_a_new_stream_is_another_one_and_use_stream_makes_it_current():
    for device in machines(2):
        stream = new_stream(device)
        default = current_stream(device)
        assert stream != default
        assert device_of(stream) == device
        with use_stream(stream):
            assert current_stream(device) == stream
        assert current_stream(device) == default


def test_two_devices_streams_at_once():
    one, two = (new_stream(device) for device in machines(2))
    with use_stream(one), use_stream(two):
        assert (current_stream(device_of(one)), current_stream(device_of(two))) == (one, two)


@pytest.mark.parametrize(("here", "there"), [(0, 0), (0, 1)])
def test_waiting_for_a_stream(here, there):
    devices = machines(2)
    target, source = new_stream(devices[here]), current_stream(devices[there])
    with sp.trace(device="sim") as t:
        with use_stream(target):
            x = torch.ones(1, device=devices[here])
            sleep(devices[here])
            x.fill_(42)
        wait_stream(source, target)
        y = x.to(devices[there], copy=True)
        x.record_stream(current_stream(devices[here]))
    assert y.item() == 42
    assert here != there or not t.races


def test_the_host_waits_for_a_device_and_a_device_never_for_the_host():
    (device,) = machines(1)
    with sp.trace(device="sim") as t:
        sleep(device)
        wait_stream(HostStream(CPU), current_stream(device))
        wait_stream(current_stream(device), HostStream(CPU))
    assert len(t.waits) == 1
    assert t.host_us == 500


def carry(source, target, sleeping=True):
    """x * 3 through Wait, Copy and Wait, and back; returns values and gradient."""
    devices = [device_of(source), device_of(target)]
    compute = [current_stream(device) for device in devices]
    x = torch.ones(4, device=devices[0], requires_grad=True)
    with sp.trace(device="sim") as t:
        if sleeping and devices[0].type == "sim":
            sleep(devices[0])
        (y,) = P.Wait.apply(compute[0], source, x * 3)
        (y,) = P.Copy.apply(source, target, y)
        (y,) = P.Wait.apply(target, compute[1], y)
        (y * 2).sum().backward()
    assert y.device == devices[1]
    assert [str(race) for race in t.races] == []
    return y.detach().cpu().tolist(), x.grad.cpu().tolist()


@pytest.mark.parametrize("route", ["cpu cpu", "cpu sim", "sim cpu", "sim sim", "sim other"])
def test_copy_and_wait_carry_values_and_gradients(route):
    devices = machines(2, copy_us=10)
    known = {"cpu": CPU, "sim": devices[0], "other": devices[1]}
    source, target = (new_stream(known[name]) for name in route.split())
    assert carry(source, target) == ([3.0] * 4, [6.0] * 4)


def test_several_tensors_keep_their_places():
    """Forth and back: each tensor, and each gradient, is its own."""
    devices = machines(2, copy_us=10)
    source, target = (new_stream(device) for device in devices)
    a, b = (torch.full((size,), 1.0 + size, device=devices[0], requires_grad=True) for size in (3, 3))
    with torch.no_grad():
        b.mul_(5)
    back = current_stream(devices[1])
    ready = P.Wait.apply(current_stream(devices[0]), source, a, b)
    c, d = P.Wait.apply(target, back, *P.Copy.apply(source, target, *ready))
    assert [c.device, d.device] == [devices[1]] * 2
    assert (c.tolist(), d.tolist()) == ([4.0] * 3, [20.0] * 3)
    (c * 7 + d * 11).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([7.0] * 3, [11.0] * 3)


class Whole(nn.Module):
    """The first of a pair needs no gradient, so that only the second one's comes back."""

    def forward(self, x):
        return x.detach() * 1, x * 2


class Second(nn.Module):
    def forward(self, pair):
        return pair[0].detach() * 0 + pair[1] * 5


def test_waiting_covers_all_tensors_of_a_tuple():
    """Forth and back, with slow copies: no stream reads what is not there yet."""
    devices = machines(3, copy_us=50)
    layers = nn.Sequential(Whole(), Slow(30), Second())
    pipe = P.GPipe(layers, [1, 1, 1], devices, 2, "never")
    x = torch.ones(4, 2, device=devices[0], requires_grad=True)
    with sp.trace(device="sim") as t:
        y = pipe(x)
        y.sum().backward()
    assert [str(race) for race in t.races] == []
    assert x.grad.cpu().tolist() == [[10.0, 10.0]] * 4


class Slow(nn.Module):
    """A pair through, after a while; and back after a while."""

    def __init__(self, us):
        super().__init__()
        self.work = Work(us, us)

    def forward(self, pair):
        return pair[0], self.work(pair[1])


def test_a_whole_pipeline_has_no_race():
    """Forward and backward, slow copies, all modes; results are what they should be."""
    for checkpoint in ("always", "except_last", "never"):
        devices = machines(3, copy_us=50)
        pipe = P.GPipe(nn.Sequential(*[Work(7, 11, 2.0) for _ in range(3)]), [1, 1, 1], devices, 4, checkpoint)
        x = torch.ones(8, 2, device=devices[0], requires_grad=True)
        with sp.trace(device="sim") as t:
            y = pipe(x)
            y.sum().backward()
        assert [str(race) for race in t.races] == []
        assert y.detach().cpu().tolist() == [[8.0, 8.0]] * 8
        assert x.grad.cpu().tolist() == [[8.0, 8.0]] * 8


def test_a_source_is_kept_until_its_copy_has_read_it():
    """Without gradients nobody keeps a stage's result while its copy, on another stream, still reads it."""
    devices = machines(2, copy_us=1000)
    pipe = P.GPipe(nn.Sequential(Work(7), Work(7)), [1, 1], devices, 4)
    with sp.trace(device="sim") as t, torch.no_grad():
        y = pipe(torch.ones(8, 2, device=devices[0]))
    assert [str(race) for race in t.races] == []
    assert y.cpu().tolist() == [[1.0, 1.0]] * 8


def test_recording_a_stream_holds_memory_back_shifted_views_included():
    (device,) = machines(1)
    stream = new_stream(device)
    for told in (True, False):
        x = torch.ones(1000, device=device)
        with sp.trace(device="sim") as t:
            wait_stream(stream, current_stream(device))
            with use_stream(stream):
                sleep(device)
                y = x[1:] * 2
            if told:
                record_stream(x[1:], stream)
            del x
        assert len(t.races) == (0 if told else 1)
        del y


def test_none_has_no_copy():
    devices = machines(2)
    assert move((None, torch.ones(1, device=devices[0])), *(new_stream(d) for d in devices))[0] is None
    assert carry(new_stream(devices[0]), new_stream(devices[1]))
