"""What pinned memory costs the host: its pages, the copy into it, and not the bytes that the link brings."""

import pytest
import torch

import syncpoint as sp

MEGABYTES = torch.ones(1_000_000)


@pytest.fixture(autouse=True)
def t4():
    sp.sim.use(chip="T4")


def host_us(call):
    with sp.trace(device="sim") as t:
        call()
    return t.host_us


def test_pinning_pays_for_the_copy_even_when_the_pages_are_cached():
    MEGABYTES.pin_memory()
    with sp.trace(device="sim") as t:
        MEGABYTES.pin_memory()
    (op,) = t.host_ops
    assert op.op.startswith("aten._pin_memory")
    assert op.bytes == 2 * MEGABYTES.nbytes  # read and written
    assert t.host_us == pytest.approx(host_us(lambda: torch.empty_like(MEGABYTES).copy_(MEGABYTES)))


def test_pinning_what_is_pinned_is_free():
    pinned = MEGABYTES.pin_memory()
    assert host_us(pinned.pin_memory) == 0


def test_a_pinned_factory_pays_for_its_pages_once():
    def make():
        return torch.empty(1000, pin_memory=True)

    assert host_us(make) > 500
    assert host_us(make) < 50


@pytest.mark.parametrize("wait", ["event", "device"])
def test_bytes_that_arrive_are_no_work_of_the_host(wait):
    x, into = torch.ones(1000, device="sim"), torch.zeros(1000).pin_memory()
    torch.get_device_module("sim").synchronize()
    with sp.trace(device="sim") as t:
        into.copy_(x, non_blocking=True)
        if wait == "event":
            event = torch.Event("sim")
            event.record()
            event.synchronize()
        else:
            torch.get_device_module("sim").synchronize()
    assert not t.host_ops
    assert not t.races
    assert into.tolist() == [1.0] * 1000


def test_a_strided_view_is_gathered_by_the_host_before_its_bytes_are_staged():
    pinned = torch.ones(1000, 1000).pin_memory()
    dense = host_us(lambda: torch.ones(1000, 500).to("sim", non_blocking=True))
    made = host_us(lambda: torch.ones(1000, 500))
    strided = host_us(lambda: pinned[:, ::2].to("sim", non_blocking=True))
    gathered = host_us(lambda: torch.empty(1000, 500).copy_(pinned[:, ::2]))
    assert strided == pytest.approx(dense - made + gathered)


def test_a_conversion_that_blocks_is_the_hosts_work():
    wide = torch.ones(1_000_000, dtype=torch.float64)
    narrow = host_us(lambda: MEGABYTES.to("sim"))
    assert host_us(lambda: wide.to("sim", torch.float32)) > narrow + 1000  # 12 MB at 10 GB/s
