"""Many steps leave nothing behind: no thread, no tensor, no stream, no byte on a device."""

from __future__ import annotations

import gc
import threading

import pytest
import torch
from parts import machines
from torch import nn
from torch.nn.functional import mse_loss

from syncpoint import pipeline as P


def model() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))


def census() -> tuple[int, int]:
    gc.collect()
    return threading.active_count(), sum(issubclass(type(x), torch.Tensor) for x in gc.get_objects())


def on_gpipe(devices, checkpoint):
    pipe = P.GPipe(model(), [2, 1], devices, 2, checkpoint)
    x, target = torch.ones(4, 2, device=devices[0]), torch.zeros(4, 1, device=devices[-1])

    def step():
        pipe.zero_grad()
        mse_loss(pipe(x), target).backward()

    return step


def on_1f1b(devices):
    step = P.TrainStep(P.split(model(), [2, 1]), devices, mse_loss, 2)
    x, target = torch.ones(4, 2, device=devices[0]), torch.zeros(4, 1, device=devices[-1])

    def run():
        for stage in step.stages:
            stage.zero_grad()
        step(x, target)

    return run


def grows(step, steps: int, devices=()) -> bool:
    """Whether anything is more after many steps than after two."""
    sim = torch.get_device_module("sim") if devices else None

    def now():
        return *census(), *(sim.memory_allocated(device) for device in devices)

    step()
    step()
    before = now()
    for _ in range(steps):
        step()
    return now() != before


def test_a_thousand_steps_leak_nothing():
    assert not grows(on_gpipe([torch.device("cpu")] * 2, "except_last"), 1000)


@pytest.mark.parametrize("kind", ["gpipe", "1f1b"])
def test_fifty_steps_leave_nothing_on_simulated_devices(kind):
    devices = machines(2)
    step = on_gpipe(devices, "except_last") if kind == "gpipe" else on_1f1b(devices)
    assert not grows(step, 50, devices)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gpipe", "1f1b"])
def test_a_thousand_steps_leave_nothing_on_simulated_devices(kind):
    devices = machines(2)
    step = on_gpipe(devices, "except_last") if kind == "gpipe" else on_1f1b(devices)
    assert not grows(step, 1000, devices)
    from syncpoint.sim.machine import machine

    assert machine.streams_made == {0: 2, 1: 2}  # one for each micro-batch, made once
