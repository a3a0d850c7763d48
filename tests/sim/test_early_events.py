"""An event that was recorded before the first side stream stands for what was there then, and for no more."""

import pytest
import torch

import syncpoint as sp


@pytest.fixture(autouse=True)
def t4():
    sp.sim.use(chip="T4")


@pytest.mark.parametrize("late", [False, True])
def test_an_event_speaks_for_the_work_before_it(late):
    x, side = torch.ones(8, device="sim"), torch.Stream("sim")
    event = torch.Event("sim")
    if not late:
        event.record()
    x.mul_(3)
    if late:
        event.record()
    side.wait_event(event)
    with sp.trace(device="sim") as t, side:
        y = x + 1
    assert [race.kind for race in t.races] == ([] if late else ["read before the write has finished"])
    torch.get_device_module("sim").synchronize()
    assert bool(y.isnan().all()) is not late


def test_the_host_learns_no_more_from_it_either():
    x, side = torch.ones(8, device="sim"), torch.Stream("sim")
    event = torch.get_device_module("sim").current_stream().record_event()
    x.mul_(3)
    event.synchronize()
    with sp.trace(device="sim") as t, side:
        x + 1
    assert len(t.races) == 1
