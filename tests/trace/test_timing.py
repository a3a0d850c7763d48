"""Honest timing. Wall time is never compared with a number here: only virtual time is."""

from __future__ import annotations

import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import syncpoint as sp
from syncpoint import devices
from syncpoint.timing import Measurement, timer


def busy(device: str = "sim") -> None:
    """Work for the device that takes far longer than its launch."""
    x = torch.ones(1024, 1024, device=device)
    x @ x


@pytest.fixture(autouse=True)
def chip() -> Any:
    return sp.sim.use("T4", devices=2)


def test_it_waits_for_the_device_before_it_reads_the_clock() -> None:
    clock = torch.get_device_module("sim").clock_us
    busy()  # work from before, which must not be counted
    before = clock()
    with timer("sim") as t:
        waited_for_old_work = clock()
        busy()
        naive = clock() - waited_for_old_work
    assert waited_for_old_work - before > 100
    with sp.trace("sim") as trace:
        busy()
    assert naive < 50
    assert t.us == pytest.approx(trace.elapsed_us, rel=0.05)
    assert t.us > naive + 100
    assert t.virtual


def test_virtual_time_is_the_same_each_time() -> None:
    values = sp.timer.measure(busy, warmup=2, repeats=5, device="sim").values_us
    assert values == pytest.approx([values[0]] * 5, rel=1e-9)


def test_an_empty_block_costs_one_latency(chip: Any) -> None:
    with timer("sim") as t:
        pass
    assert t.us == pytest.approx(chip.host.wait_us)


def test_its_two_waits_stand_in_a_trace() -> None:
    with sp.trace("sim") as trace, timer("sim"):
        busy()
    assert [wait.kind for wait in trace.waits] == ["explicit", "explicit"]
    assert {wait.file for wait in trace.waits} == {__file__}


def test_several_devices_are_all_waited_for() -> None:
    with timer("sim:0") as one:
        busy("sim:1")
    with timer(["sim:0", "sim:1"]) as both:
        busy("sim:1")
    assert both.us > one.us + 100


def test_the_default_is_the_chosen_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_chosen", devices._chosen)  # so that the choice is taken back afterwards
    monkeypatch.setenv("SYNCPOINT_DEVICE", "cpu")
    sp.device(quiet=True)
    assert not timer().virtual
    monkeypatch.setenv("SYNCPOINT_DEVICE", "sim")
    sp.device(quiet=True)
    assert timer().virtual


def test_on_the_cpu_it_reads_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([10.0, 10.25])
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    with timer("cpu") as t:
        pass
    assert (t.us, t.ms, t.virtual) == (250_000.0, 250.0, False)
    assert str(t) == "250.00 ms (wall time)"
    assert repr(t) == "<timer: 250.00 ms (wall time)>"


@pytest.mark.parametrize("kind", ["cuda:1", "mps"])
def test_real_accelerators_are_synchronised_before_both_readings(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    module = SimpleNamespace(synchronize=lambda *device: calls.append(("synchronize", *device)))
    monkeypatch.setattr(torch, "get_device_module", lambda device: module)
    monkeypatch.setattr(torch.mps, "synchronize", module.synchronize)
    monkeypatch.setattr(time, "perf_counter", lambda: calls.append("clock") or 0.0)
    with timer(kind):
        calls.append("work")
    arguments = () if kind == "mps" else (torch.device(kind),)
    sync = ("synchronize", *arguments)
    assert calls == [sync, "clock", "work", sync, "clock"]


def test_there_is_no_result_before_the_end_or_after_an_error() -> None:
    t = timer("sim")
    assert repr(t) == "<timer: no result yet>"
    with pytest.raises(RuntimeError, match="read it after its with block"):
        t.us  # noqa: B018
    with pytest.raises(KeyError, match="mine"), t:
        raise KeyError("mine")
    with pytest.raises(RuntimeError, match="no result"):
        str(t)
    with t:
        busy()
    assert t.us > 0
    with pytest.raises(RuntimeError, match="no result"), t:
        t.ms  # noqa: B018


def test_a_timer_can_be_used_again() -> None:
    t = timer("sim")
    with t:
        busy()
    first = t.us
    with t:
        busy()
        busy()
    assert t.us > 1.5 * first


def test_measure_warms_up_and_gives_median_and_all_values(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 3.0, 10.0, 11.0, 20.0, 29.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    calls: list[int] = []
    result = timer.measure(lambda: calls.append(1), warmup=2, repeats=3, device="cpu")
    assert len(calls) == 5
    assert result == Measurement(3e6, (3e6, 1e6, 9e6), virtual=False)
    assert result.ms == 3_000
    assert str(result) == "3.00 s, median of 3 runs, 1.00 s to 9.00 s (wall time)"


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="repeats of at least 1"):
        timer.measure(busy, repeats=0)
    with pytest.raises(ValueError, match="warmup of at least 0"):
        timer.measure(busy, warmup=-1)
    with pytest.raises(ValueError, match="at least one device"):
        timer([])
    with pytest.raises(ValueError, match="several types"):
        timer(["cpu", "sim"])


def test_sim_need_not_be_enabled_first() -> None:
    code = "import syncpoint as sp\nwith sp.timer('sim:0') as t: pass\nassert t.virtual and t.us > 0"
    subprocess.run([sys.executable, "-c", code], check=True)
