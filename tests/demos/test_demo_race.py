"""The race of the made-up machine: its numbers, its words, and that it leaves the learner's machine alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from html_check import check

import syncpoint as sp
from syncpoint.demos.tick_race import tick_times


@pytest.fixture
def fresh() -> Iterator[None]:
    """Times are computed once; here they are to be computed again."""
    tick_times.cache_clear()
    yield
    sp.sim.use("T4")


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 6, 50])
def test_ticks_follow_the_formula(steps: int, fresh: None) -> None:
    cpu, gpu, lanes = tick_times(steps)
    assert (cpu, gpu) == (32 * steps, 40 + steps + 40)
    assert [lane.end for lane in lanes] == [cpu, gpu]


@pytest.mark.parametrize(
    ("steps", "cpu", "gpu", "winner"), [(1, 32, 81, "CPU"), (2, 64, 82, "CPU"), (3, 96, 83, "GPU"), (6, 192, 86, "GPU")]
)
def test_value_drives_the_result(steps: int, cpu: int, gpu: int, winner: str) -> None:
    race = sp.race()
    race.value = steps
    assert (race.cpu_ticks, race.gpu_ticks, race.winner) == (cpu, gpu, winner)
    assert f"= {cpu} ticks" in race.text or steps == 1
    assert f"40 + {steps} + 40 = {gpu} ticks. The {winner} finishes first, by {abs(cpu - gpu)} ticks." in race.text


def test_tie_break_is_at_three_steps() -> None:
    race = sp.race()
    assert race.tie_break == 3
    race.value = 3
    assert race.text.endswith("From 3 steps on, the two copies pay off.")
    race.value = 4
    assert "pay off" not in race.text
    assert sp.race(most_steps=2).tie_break is None


def test_segments_are_the_two_copies_and_each_step() -> None:
    _, _, (cpu, gpu) = tick_times(3)
    (cpu_row,), (gpu_row,) = cpu.rows, gpu.rows
    assert [(s.kind, s.start, s.end) for s in cpu_row.segments] == [
        ("host", 0, 32), ("host", 32, 64), ("host", 64, 96),
    ]  # fmt: skip
    assert [(s.kind, s.start, s.end) for s in gpu_row.segments] == [
        ("H2D", 0, 40), ("kernel", 40, 41), ("kernel", 41, 42), ("kernel", 42, 43), ("D2H", 43, 83),
    ]  # fmt: skip


@pytest.mark.parametrize("steps", [0, 7, -1, 1.5, "3", None])
def test_impossible_value_says_what_is_possible(steps: object) -> None:
    race = sp.race()
    with pytest.raises(ValueError, match="choose a whole number from 1 to 6"):
        race.value = steps  # type: ignore[assignment]
    assert race.value == 1


def test_race_needs_a_step() -> None:
    with pytest.raises(ValueError, match="at least 1 step"):
        sp.race(most_steps=0)


def test_learners_machine_is_left_alone(fresh: None) -> None:
    sp.sim.use("A100", devices=2)
    sim = torch.get_device_module("sim")
    sim.set_device(1)
    x = torch.ones(10, device="sim") + 1
    before = (sim.get_device_name(), sim.device_count(), sim.current_device(), sim.clock_us())
    assert tick_times(2)[:2] == (64, 82)
    assert (sim.get_device_name(), sim.device_count(), sim.current_device(), sim.clock_us()) == before
    assert (x + 1).tolist() == [3.0] * 10


def test_race_within_a_trace_neither_sees_it_nor_is_seen(fresh: None) -> None:
    sp.sim.use("T4")
    with sp.trace("sim") as t:
        assert tick_times(2)[:2] == (64, 82)
    assert (t.host_us, t.host_ops, t.launches, t.copies, t.waits) == (0, [], [], [], [])


def test_learners_defaults_do_not_change_the_race(fresh: None) -> None:
    sp.sim.use("T4")
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("sim")
    try:
        assert tick_times(2)[:2] == (64, 82)
    finally:
        torch.set_default_device(None)
        torch.set_default_dtype(torch.float32)


def test_words_without_script_hold_the_rules_and_the_tie_break() -> None:
    text = "".join(check(sp.race()._repr_mimebundle_()["text/html"]).text)
    assert "The CPU does 8 numbers a tick. The GPU does 256 a tick, but each copy" in text
    assert "takes 40 ticks" in text
    for steps, cpu, gpu in ((1, 32, 81), (2, 64, 82), (3, 96, 83)):
        assert f"{cpu} ticks, the GPU 40 + {steps} + 40 = {gpu} ticks" in text
    assert "Run" not in text


def test_plain_text_is_a_table() -> None:
    lines = repr(sp.race()).splitlines()
    assert lines[1].split() == ["steps", "CPU", "GPU", "first"]
    assert [line.split() for line in lines[2:5]] == [
        ["1", "32", "81", "CPU"], ["2", "64", "82", "CPU"], ["3", "96", "83", "GPU"],
    ]  # fmt: skip


def test_value_is_where_the_slider_starts() -> None:
    race = sp.race()
    race.value = 3
    data = dict(check(race._repr_mimebundle_()["text/html"]).attributes)["data-race"]
    assert '"start": 2' in data
    assert "Predict: with 3 steps, which finishes first?" in data
