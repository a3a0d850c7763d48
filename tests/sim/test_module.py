"""The device module and torch.accelerator speak of sim."""

from __future__ import annotations

import pytest
import torch

import syncpoint as sp


def test_the_module_is_found_under_its_names():
    module = torch.get_device_module("sim")
    assert module is torch.sim
    assert module.is_available()
    assert module.is_initialized()
    assert module.get_device_name() == "sim (T4)"
    assert module.get_device_capability() == (0, 0)


def test_devices_are_counted_and_chosen():
    sp.sim.use(devices=3)
    assert torch.sim.device_count() == 3
    torch.sim.set_device("sim:2")
    assert torch.zeros(1, device="sim").device.index == 2
    with torch.sim.device(1):
        assert torch.sim.current_device() == 1
        assert torch.zeros(1).to("sim").device.index == 1
    assert torch.sim.current_device() == 2
    with pytest.raises(ValueError, match="expected a sim device, but got cpu"):
        torch.sim.set_device("cpu")


def test_device_contexts_reach_factories():
    with torch.device("sim"):
        assert torch.zeros(2).is_sim
        assert torch.nn.Linear(2, 2).weight.is_sim
    assert not torch.zeros(2).is_sim


def test_accelerator_is_the_simulated_one():
    assert torch.accelerator.current_accelerator().type == "sim"
    assert torch.accelerator.is_available()


@pytest.mark.parametrize("synchronize", [torch.accelerator, None])
def test_synchronize_waits_for_all(synchronize):
    x = torch.ones(1000, 1000, device="sim")
    with sp.trace(device="sim") as t:
        x @ x
        (torch.sim.synchronize if synchronize is None else torch.accelerator.synchronize)()
    (wait,) = t.waits
    assert (wait.kind, wait.drained) == ("explicit", False)
    assert wait.waited_us > 100
    assert t.host_us == t.elapsed_us


def test_the_clock_can_be_read():
    before = torch.sim.clock_us()
    torch.ones(3, device="sim")
    assert torch.sim.clock_us() > before


def test_seeding():
    torch.sim.manual_seed_all(5)
    assert torch.sim.initial_seed() == torch.initial_seed() == 5
    assert len(torch.sim.get_rng_state_all()) == 1
    with torch.random.fork_rng(devices=[0], device_type="sim"):
        torch.rand(3, device="sim")
    assert torch.sim.initial_seed() == 5
