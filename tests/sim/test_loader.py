"""Pinned memory and DataLoaders, with and without workers."""

from __future__ import annotations

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

import syncpoint as sp

DATA = TensorDataset(torch.arange(12.0).view(6, 2), torch.arange(6))


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("pinned", [False, True])
def test_batches_reach_the_device(workers, pinned):
    loader = DataLoader(DATA, batch_size=3, num_workers=workers, pin_memory=pinned)
    with sp.trace(device="sim") as t:
        sums = []
        for inputs, labels in loader:
            assert inputs.is_pinned() is pinned
            sums.append((inputs.to("sim", non_blocking=True).sum() + labels.to("sim", non_blocking=True).sum()).cpu())
    assert [s.item() for s in sums] == [18, 63]
    h2d = [c for c in t.copies if c.kind == "H2D"]
    assert len(h2d) == 4
    assert all(c.pinned is pinned and c.blocking is not pinned and c.non_blocking for c in h2d)
    assert len(t.waits) == 2  # the two .cpu()


def test_pinning():
    h = torch.zeros(4, 4)
    p = h.pin_memory()
    assert not h.is_pinned()
    assert p.is_pinned()
    assert p.pin_memory() is p
    assert p[1:].is_pinned()
    assert p.t().is_pinned()
    assert not p.clone().is_pinned()
    assert torch.empty(3, pin_memory=True).is_pinned()
    assert torch.zeros(2, pin_memory=True).tolist() == [0, 0]


def copy_of(make):
    with sp.trace(device="sim") as t:
        make()
    return t


def test_what_is_blocking_and_what_is_counted():
    h, p = torch.zeros(64, 64), torch.zeros(64, 64).pin_memory()
    x = torch.zeros(64, 64, device="sim")
    cases = [  # (call, waits, blocking, pinned)
        (lambda: h.to("sim"), 1, True, False),
        (lambda: p.to("sim"), 1, True, True),
        (lambda: h.to("sim", non_blocking=True), 0, True, False),
        (lambda: p.to("sim", non_blocking=True), 0, False, True),
        (lambda: p[:, ::2].to("sim", non_blocking=True), 0, True, False),
        (lambda: p[:8].to("sim", non_blocking=True), 0, False, True),
        (lambda: p.t().to("sim", non_blocking=True), 0, False, True),
        (lambda: x.cpu(), 1, True, False),
        (lambda: x.to("cpu", non_blocking=True), 0, False, True),
        (lambda: h.copy_(x, non_blocking=True), 0, True, False),
        (lambda: p.copy_(x, non_blocking=True), 0, False, True),
    ]
    for number, (call, waits, blocking, pinned) in enumerate(cases):
        t = copy_of(call)
        (copied,) = t.copies
        assert (len(t.waits), copied.blocking, copied.pinned) == (waits, blocking, pinned), number
    assert x.to("cpu", non_blocking=True).is_pinned()


def test_a_pinned_conversion_happens_on_the_device():
    t = copy_of(lambda: torch.zeros(64, 64).pin_memory().to("sim", torch.float16, non_blocking=True))
    assert t.copies[0].bytes == 64 * 64 * 4
    assert sum(launch.kernels for launch in t.launches) == 1
    t = copy_of(lambda: torch.zeros(64, 64).to("sim", torch.float16))
    assert t.copies[0].bytes == 64 * 64 * 2
    assert not t.launches


def test_the_queue_is_finite():
    x = torch.zeros(4_000_000, device="sim")
    with sp.trace(device="sim") as t:
        for _ in range(1100):
            x.add_(1)
    one = t.launches[1].end_us - t.launches[1].start_us
    assert t.host_us > 70 * one  # the host ran 1,024 launches ahead and then at the device's pace
    assert not t.waits


def test_a_new_size_of_pinned_memory_is_slow_and_then_cached():
    def host_us(size):
        with sp.trace(device="sim") as t:
            torch.zeros(size).pin_memory()
        return t.host_us

    first, second, smaller = host_us(1000), host_us(1000), host_us(900)
    assert first > 500
    assert second < 50
    assert smaller < 50  # the same power of two


def test_a_chip_without_pinned_memory_says_so():
    sp.sim.use(chip="M1")
    with pytest.warns(UserWarning, match="the M1 has no pinned memory"):
        h = torch.zeros(4).pin_memory()
    assert not h.is_pinned()
