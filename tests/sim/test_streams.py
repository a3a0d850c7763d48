"""Streams and events on sim: order, overlap, current streams, backward, copies between devices, races and poison."""

from __future__ import annotations

import math
import threading

import pytest
import torch

import syncpoint as sp


def stream(device="sim"):
    return torch.Stream(device=device)


def sizeable(device="sim"):
    return torch.ones(1000, 1000, device=device)


# ---- the objects ----------------------------------------------------------------------------------------------------


def test_pytorchs_names_lead_here():
    first, second = torch.Stream(device="sim"), torch.sim.Stream()
    assert isinstance(first, torch.Stream)
    assert isinstance(first, torch.sim.Stream)
    assert first != second
    assert (first.device.type, first.device.index) == ("sim", 0)
    assert isinstance(torch.Event(device="sim"), torch.Event)
    assert torch.sim.Stream(priority=-1).priority == 0


def test_the_current_stream_follows_contexts():
    default, side = torch.sim.default_stream(), stream()
    assert torch.sim.current_stream() == default
    with side:
        assert torch.sim.current_stream() == side == torch.accelerator.current_stream()
        with torch.sim.stream(None), torch.sim.stream(default):
            assert torch.sim.current_stream() == default
        assert torch.sim.current_stream() == side
    assert torch.sim.current_stream() == default
    torch.accelerator.set_stream(side)
    assert torch.sim.current_stream() == side
    torch.sim.set_stream(default)


def test_the_current_stream_belongs_to_the_thread():
    seen = []
    with stream():
        thread = threading.Thread(target=lambda: seen.append(torch.sim.current_stream().stream_id))
        thread.start()
        thread.join()
    assert seen == [0]


def test_a_stream_makes_its_device_current():
    sp.sim.use(devices=2)
    with stream("sim:1"):
        assert torch.sim.current_device() == 1
        assert torch.zeros(1, device="sim").device.index == 1
    assert torch.sim.current_device() == 0


# ---- time -----------------------------------------------------------------------------------------------------------


def test_streams_overlap_and_waits_put_them_in_order():
    side = stream()
    with sp.trace() as t:
        torch.sim.sleep(500)
        with side:
            torch.sim.sleep(500)
    a, b = t.launches
    assert (a.stream, b.stream) == (0, side.stream_id)
    assert b.start_us < a.end_us
    assert t.elapsed_us < 600
    with sp.trace() as t:
        torch.sim.sleep(500)
        side.wait_stream(torch.sim.current_stream())
        with side:
            torch.sim.sleep(500)
    a, b = t.launches
    assert b.start_us == a.end_us
    assert not t.waits
    assert t.host_us < 100


def test_events_order_and_time():
    side, start, end = stream(), torch.Event("sim", enable_timing=True), torch.Event("sim", enable_timing=True)
    assert start.query()  # never recorded: nothing to wait for
    with side:
        start.record()
        torch.sim.sleep(2000)
        end.record()
    assert not end.query()
    with pytest.raises(RuntimeError, match="device not ready"):
        start.elapsed_time(end)
    with sp.trace() as t:
        end.synchronize()
    assert [(w.kind, w.op) for w in t.waits] == [("explicit", "Event.synchronize")]
    assert end.query()
    assert start.elapsed_time(end) == pytest.approx(2, abs=0.02)
    with pytest.raises(ValueError, match="enable_timing=True"):
        start.elapsed_time(torch.Event("sim"))
    with pytest.raises(ValueError, match="must be recorded"):
        start.elapsed_time(torch.Event("sim", enable_timing=True))


def test_synchronising_waits_for_one_stream_or_for_all():
    side = stream()
    with sp.trace() as t:
        with side:
            torch.sim.sleep(1000)
        assert not side.query()
        torch.sim.current_stream().synchronize()
        assert not side.query()
        side.synchronize()
        assert side.query()
    assert [w.drained for w in t.waits] == [True, False]


def test_copies_overlap_kernels():
    pinned = torch.ones(1_000_000).pin_memory()
    copier = stream()
    with sp.trace() as t:
        torch.sim.sleep(2000)
        with copier:
            x = pinned.to("sim", non_blocking=True)
        torch.sim.current_stream().wait_stream(copier)
        x.record_stream(torch.sim.current_stream())
        y = x + 1
    kernel, addition = t.launches
    (copied,) = t.copies
    assert copied.start_us < kernel.end_us
    assert copied.stream == copier.stream_id
    assert addition.start_us >= copied.end_us
    assert not t.races
    assert y.sum().item() == 2_000_000


def test_copies_between_devices():
    sp.sim.use(chip="A100", devices=2)
    x = sizeable("sim:0")
    with sp.trace() as t:
        y = (x @ x).to("sim:1")
        z = y + 1
    (copied,) = t.copies
    product, addition = t.launches
    assert (copied.kind, copied.device, copied.blocking) == ("P2P", "sim:1", False)
    assert product.end_us <= copied.start_us < copied.end_us <= addition.start_us
    assert not t.waits
    assert not t.races
    assert z[0, 0].item() == 1001


# ---- backward -------------------------------------------------------------------------------------------------------


def test_backward_runs_on_the_stream_of_its_forward():
    side = stream()
    w = torch.ones(3, device="sim", requires_grad=True)
    side.wait_stream(torch.sim.current_stream())
    with side:
        y = w * 2
    torch.sim.current_stream().wait_stream(side)
    z = (y * 3).sum()
    with sp.trace() as t:
        z.backward()
    streams = {launch.op: launch.stream for launch in t.launches if "mul" in launch.op}
    assert [launch.stream for launch in t.launches if "mul" in launch.op] == [0, side.stream_id], streams


def test_a_backward_function_may_choose_its_own_stream():
    side = stream()

    class Aside(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            with side:
                return grad * 5

    x = torch.ones(3, device="sim", requires_grad=True)
    with sp.trace() as t:
        (Aside.apply(x) * 2).sum().backward()
    assert [launch.stream for launch in t.launches if launch.op == "aten.mul.Tensor"] == [0, 0, side.stream_id]


# ---- races and what they do -----------------------------------------------------------------------------------------


def test_a_missing_wait_is_found_and_shows():
    x, side = sizeable(), stream()
    with sp.trace() as t:
        y = x @ x
        with side:
            z = y + 1
    (race,) = t.races
    assert race.kind == "read before the write has finished"
    assert (race.first.op, race.second.op) == ("aten.mm", "aten.add.Tensor")
    assert "y = x @ x" in str(race)
    assert "z = y + 1" in str(race)
    assert "wait_stream" in race.remedy
    torch.sim.synchronize()
    assert z.isnan().all().item()
    assert not y.isnan().any().item()


def test_the_wait_mends_it():
    x, side = sizeable(), stream()
    with sp.trace() as t:
        y = x @ x
        side.wait_stream(torch.sim.current_stream())
        with side:
            z = y + 1
        y.record_stream(side)
        torch.sim.current_stream().wait_stream(side)
        assert z.sum().item() == 1001 * 10**6
    assert not t.races


def test_without_poison_values_are_right_and_the_race_is_told():
    from syncpoint.sim.machine import machine

    machine.poison = False
    try:
        x, side = sizeable(), stream()
        with sp.trace() as t:
            y = x @ x
            with side:
                z = y + 1
            torch.sim.synchronize()
        assert len(t.races) == 1
        assert z[0, 0].item() == 1001
    finally:
        machine.poison = True


def test_overlapping_views_race_and_neighbours_do_not():
    x, side = torch.zeros(1024, device="sim"), stream()
    side.wait_stream(torch.sim.current_stream())
    with sp.trace() as t:
        x[:512].add_(1)
        with side:
            x[512:].add_(1)
    assert not t.races
    with sp.trace() as t:
        x[:512].add_(1)
        with side:
            x[256:].add_(1)
    assert {race.kind for race in t.races} == {"written twice at once"}


def test_memory_freed_too_early_spoils_its_reader():
    for recorded in (False, True):
        x, side = sizeable(), stream()
        side.wait_stream(torch.sim.current_stream())
        with sp.trace() as t:
            with side:
                y = x * 2
            if recorded:
                x.record_stream(side)
            del x
        torch.sim.synchronize()
        assert [race.kind for race in t.races] == ([] if recorded else ["freed while it is still in use"])
        assert bool(y.isnan().all()) is not recorded


def test_reading_a_pinned_copy_too_early():
    x = torch.ones(8, device="sim")
    with sp.trace() as t:
        early = x.to("cpu", non_blocking=True)
        spoiled = early + 1
    (race,) = t.races
    assert race.second.agent == (-1, 0)
    assert "event.synchronize()" in race.remedy
    assert spoiled.isnan().all()
    torch.sim.synchronize()
    assert early.tolist() == [1] * 8


def test_a_stale_buffer_until_the_event():
    x, buffer, done = torch.ones(8, device="sim"), torch.zeros(8).pin_memory(), torch.Event("sim")
    with sp.trace() as t:
        buffer.copy_(x, non_blocking=True)
        done.record()
        assert buffer.tolist() == [0] * 8  # what it held before
        done.synchronize()
        assert (buffer + 0).tolist() == [1] * 8
    assert not t.races
    assert len(t.waits) == 1


def test_overwriting_a_pinned_source_in_flight():
    source = torch.ones(8).pin_memory()
    with sp.trace() as t:
        x = source.to("sim", non_blocking=True)
        source.fill_(7)
    (race,) = t.races
    assert race.kind == "written while it is still being read"
    assert math.isnan(x.sum().item())
    torch.sim.synchronize()
    with sp.trace() as t:
        x = source.to("sim", non_blocking=True)
        torch.sim.current_stream().synchronize()
        source.fill_(9)
    assert not t.races
    assert x[0].item() == 7


def test_a_round_trip_through_pinned_memory_stays_in_stream_order():
    x, buffer = torch.arange(4.0, device="sim"), torch.zeros(4).pin_memory()
    buffer.copy_(x, non_blocking=True)
    assert buffer.to("sim", non_blocking=True).cpu().tolist() == [0, 1, 2, 3]


def test_default_streams_alone_never_race():
    w = torch.ones(64, 64, device="sim", requires_grad=True)
    optimizer = torch.optim.Adam([w])
    pinned = torch.ones(64, 64).pin_memory()
    with sp.trace() as t:
        for _ in range(3):
            (w * pinned.to("sim", non_blocking=True)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            torch.sim.synchronize()
    assert not t.races
