"""A trace knows when it does not hold all that happened, and the checks refuse to count in it."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable

import pytest
import torch

import syncpoint as sp
from syncpoint.sim.machine import machine


@pytest.fixture(autouse=True)
def sim() -> None:
    sp.sim.use("T4")


def started_anew() -> None:
    sp.sim.use("H100")


def put_aside() -> None:
    with sp.sim.aside("A100"):
        torch.ones(3, device="sim").sum().item()


def not_listening() -> None:
    kept, machine.logs[:] = list(machine.logs), []
    torch.ones(3, device="sim").sum().item()
    machine.logs[:] = kept


def thrown_away() -> None:
    torch.ones(3, device="sim").sum().item()
    machine.logs[-1].waits.clear()


@pytest.mark.parametrize(
    ("disturb", "why"),
    [
        (started_anew, "the simulated machine was started anew while the trace was open (sp.sim.use)"),
        (put_aside, "another simulated machine was used while the trace was open (sp.sim.aside, or a demo)"),
        (not_listening, "waits that happened while the trace was open are not in it"),
        (thrown_away, "waits that happened while the trace was open are not in it"),
    ],
)
def test_the_checks_refuse_it(disturb: Callable[[], None], why: str) -> None:
    with sp.trace("sim") as t:
        torch.ones(3, device="sim")
        disturb()
    assert t.disturbed.startswith(why)
    for check in (sp.checks.waits, sp.checks.copies, sp.checks.launches):
        with pytest.raises(AssertionError, match=re.escape(f"nothing can be said of this trace: {why}")):
            check(t, at_most=10)


def test_no_time_is_known_of_a_machine_that_was_started_anew() -> None:
    with sp.trace("sim") as t:
        started_anew()
        assert math.isnan(t.host_us)
    assert all(math.isnan(us) for us in (t.host_us, t.device_us, t.elapsed_us))
    assert "nan" in repr(t)
    assert t.report()


def test_records_that_are_thrown_away_later_are_missed() -> None:
    with sp.trace("sim") as t:
        torch.ones(3, device="sim").sum().item()
    assert t.disturbed == ""
    t.waits.clear()
    assert t.disturbed


def test_what_is_done_beside_a_trace_does_not_disturb_it() -> None:
    x = torch.ones(3, device="sim")
    with sp.trace("sim") as outer:
        with sp.trace("sim") as t:
            worker = threading.Thread(target=lambda: (x * 2).sum().item())
            worker.start()
            worker.join()
            x.cpu()
        assert t.disturbed == ""
        with sp.trace("cpu") as other:
            torch.ones(3) + 1
        assert other.disturbed == ""
    started_anew()
    put_aside()
    assert (t.disturbed, outer.disturbed) == ("", "")
    sp.checks.waits(t, exactly=2)


def test_a_trace_inside_a_machine_put_aside_is_whole() -> None:
    with sp.sim.aside("A100"), sp.trace("sim") as t:
        torch.ones(3, device="sim").sum().item()
    assert t.disturbed == ""
    sp.checks.waits(t, exactly=1)


def test_a_trace_that_raises_inside_a_disturbed_block_shows_the_error() -> None:
    def clears_and_fails() -> None:
        machine.logs.clear()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), sp.trace("sim"):
        clears_and_fails()
