"""The pipeline on simulated devices takes exactly as long as the closed formulas say."""

from __future__ import annotations

import pytest
import torch
from parts import Work, machines
from torch import nn

import syncpoint as sp
from syncpoint import pipeline as P


def run(m, forward_us, backward_us=None, copy=0.0, copy_streams=True, checkpoint="never"):
    """Forward and backward: (time of the forward pass, time of the backward pass, both traces)."""
    n = len(forward_us)
    devices = machines(n, copy)
    layers = [Work(c, b) for c, b in zip(forward_us, backward_us or [0.0] * n, strict=True)]
    pipe = P.GPipe(nn.Sequential(*layers), [1] * n, devices, m, checkpoint, copy_streams)
    x = torch.ones(m, 2, device=devices[0], requires_grad=True)
    with sp.trace(device="sim") as forth:
        y = pipe(x)
    with sp.trace(device="sim") as back:
        y.sum().backward()
    assert not forth.races
    assert not back.races
    assert not forth.waits
    assert not back.waits
    assert y.detach().cpu().tolist() == [[1.0, 1.0]] * m
    return forth, back


EQUAL = [(1, 4, 0.75), (4, 4, 0.4286), (8, 4, 0.2727), (16, 4, 0.1579), (32, 4, 0.0857), (4, 2, 0.2)]


@pytest.mark.parametrize(("m", "n", "idle"), EQUAL)
def test_equal_stages_and_free_copies(m, n, idle):
    forth, back = run(m, [5.0] * n, [7.0] * n)
    assert forth.elapsed_us == 5 * P.ticks(m, n) == P.span(m, n, 5)
    assert back.elapsed_us == 7 * (m + n - 1)
    assert P.bubble(m, n) == pytest.approx(idle, abs=5e-5)
    assert 1 - forth.device_us / (n * forth.elapsed_us) == pytest.approx(P.bubble(m, n))


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 1), (1, 2), (4, 2), (8, 4), (5, 3), (2, 5)])
@pytest.mark.parametrize("copy", [1.0, 3.0, 5.0])
def test_copies_on_streams_of_their_own(m, n, copy):
    forth, back = run(m, [3.0] * n, [4.0] * n, copy)
    assert forth.elapsed_us == P.span(m, n, 3, copy) == n * 3 + (n - 1) * copy + (m - 1) * max(3, copy if n > 1 else 0)
    assert back.elapsed_us == P.span(m, n, 4, copy)


TABLE = [(4, 2, 3, 1, 19, 16), (8, 4, 3, 1, 52, 36), (8, 4, 3, 3, 90, 42), (8, 4, 3, 5, 128, 62)]


@pytest.mark.parametrize(("m", "n", "c", "p", "without", "with_streams"), TABLE)
def test_what_copy_streams_are_good_for(m, n, c, p, without, with_streams):
    assert run(m, [c] * n, copy=p)[0].elapsed_us == with_streams == P.span(m, n, c, p)
    assert run(m, [c] * n, copy=p, copy_streams=False)[0].elapsed_us == without
    assert P.replay(m, [c] * n, p, copy_streams=False) == without
    assert P.replay(m, [c] * n, p) == with_streams


@pytest.mark.parametrize(("computes", "total", "idle"), [([1, 1, 3, 1], 27, 0.556), ([2, 1, 1, 2], 20, 0.4)])
def test_the_slowest_stage_sets_the_pace(computes, total, idle):
    forth, back = run(8, computes, computes)
    assert forth.elapsed_us == back.elapsed_us == total == P.span_uneven(8, computes) == P.replay(8, computes)
    assert P.bubble_uneven(8, computes) == pytest.approx(idle, abs=5e-4)
    assert 1 - forth.device_us / (4 * total) == pytest.approx(P.bubble_uneven(8, computes))


def test_the_replay_is_the_timeline():
    for m, computes, copy, own in [(5, [2, 4, 3], 1, True), (5, [2, 4, 3], 1, False), (3, [1, 5], 7, False)]:
        assert run(m, computes, copy=copy, copy_streams=own)[0].elapsed_us == P.replay(m, computes, copy, own)


def test_the_demo_plays_the_same_timetable():
    """``sp.bubble`` has a pencil of its own."""
    from syncpoint.demos.bubble_runs import play

    cases = [(1, (3,), 2), (4, (3, 3), 1), (8, (3, 3, 3, 3), 5), (8, (1, 1, 3, 1), 0), (5, (2, 6, 2), 4)]
    for m, computes, copy in cases:
        for own in (True, False):
            assert play(m, computes, copy, own).total == P.replay(m, computes, copy, own)


def test_recomputation_does_not_wait_for_the_gradient():
    """Only the first one of each stage overlaps with others' work: c + n b + (n-1) p + (m-1)(c+b)."""
    for m, n, c, b, p in [(1, 2, 5, 3, 0), (1, 4, 5, 3, 2), (4, 3, 5, 3, 2), (6, 2, 2, 9, 1)]:
        _, back = run(m, [float(c)] * n, [float(b)] * n, p, checkpoint="always")
        assert back.elapsed_us == c + n * b + (n - 1) * p + (m - 1) * (c + b)


def test_the_host_is_never_in_the_way_on_a_real_chip_either():
    """On an A100 the forward pass of four large stages is within 3 % of the formula; the host never waits."""
    sp.sim.use(chip="A100", devices=4)
    torch.manual_seed(0)
    m, n, width = 8, 4, 1024
    pipe = P.GPipe(nn.Sequential(*[nn.Linear(width, width, bias=False) for _ in range(n)]), [1] * n, chunks=m)
    x = torch.ones(m * 1024, width, device="sim:0")
    with torch.no_grad():
        with sp.trace(device="sim") as t:
            pipe(x)
        with sp.trace(device="sim") as one:
            pipe.stages[0](x[:1024])
    products = [launch for launch in t.launches if "mm" in launch.op]
    compute = one.launches[0].end_us - one.launches[0].start_us
    copy = t.copies[0].end_us - t.copies[0].start_us
    assert len(products) == m * n
    assert not t.waits
    first, last = min(x.start_us for x in products), max(x.end_us for x in products)
    assert last - first == pytest.approx(P.span(m, n, compute, copy), rel=0.03)
