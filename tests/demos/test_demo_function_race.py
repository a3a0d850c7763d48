"""Two functions raced: the numbers are the trace's, the words say what to look at."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from html_check import check

import syncpoint as sp
from syncpoint.demos.lanes import SLICES, Row, Segment, drawn, lane
from syncpoint.sim.log import Copy, Launch


@pytest.fixture(autouse=True)
def t4() -> None:
    sp.sim.use("T4")


def on_cpu(x: torch.Tensor, steps: int) -> torch.Tensor:
    for _ in range(steps):
        x = x * 1.5
    return x


def on_gpu(x: torch.Tensor, steps: int) -> torch.Tensor:
    return on_cpu(x.to("sim"), steps).cpu()


def raced(steps: int, size: int) -> Any:
    x = torch.ones(size)
    return sp.race(lambda: on_cpu(x, steps), lambda: on_gpu(x, steps), device="sim")


def test_few_steps_are_not_worth_the_copies_and_many_are() -> None:
    assert raced(1, 100_000).winner == "CPU"
    assert raced(100, 100_000).winner == "GPU"


def test_times_are_those_of_a_trace() -> None:
    x = torch.ones(100_000)
    race = raced(3, 100_000)
    with sp.trace("sim") as cpu:
        on_cpu(x, 3)
    with sp.trace("sim") as gpu:
        on_gpu(x, 3)
    assert race.cpu_us == pytest.approx(cpu.elapsed_us)
    assert race.gpu_us == pytest.approx(gpu.elapsed_us)


def test_queued_work_counts_until_it_is_done() -> None:
    x = torch.ones(1_000_000, device="sim")
    race = sp.race(lambda: None, lambda: x * 2 + 1, device="sim")
    with sp.trace("sim") as t:
        x * 2 + 1
    assert race.gpu_us >= t.device_us > 0
    assert race.winner == "CPU"


def test_work_under_way_before_the_race_is_not_counted() -> None:
    x = torch.ones(1_000_000, device="sim")
    idle = sp.race(lambda: None, lambda: x[:10] * 2, device="sim").gpu_us
    for _ in range(10):
        x = x * 2  # still in the queue when the race begins
    assert sp.race(lambda: None, lambda: x[:10] * 2, device="sim").gpu_us == pytest.approx(idle)


def test_results_can_be_compared() -> None:
    race = raced(3, 1000)
    assert torch.equal(race.cpu_result, race.gpu_result)


def test_words_name_times_copies_waits_and_the_winner() -> None:
    race = raced(100, 100_000)
    assert race.text.startswith("Virtual time. CPU: ")
    assert "2 copies took" in race.text
    assert "the host waited twice" in race.text
    assert "The GPU finishes first; the CPU takes" in race.text
    assert repr(race) == race.text == race._repr_mimebundle_()["text/plain"]
    assert race.text in "".join(check(race._repr_mimebundle_()["text/html"]).text)


def test_words_point_at_a_race_that_compares_nothing() -> None:
    x = torch.ones(1000)
    forgotten = sp.race(lambda: x + 1, lambda: x + 1, device="sim")
    assert "The second function did nothing on the device: is its input there?" in forgotten.text
    assert forgotten.winner == "both"
    y = x.to("sim")
    assert "The first function used the device as well." in sp.race(lambda: y + 1, lambda: y + 1, device="sim").text


def test_cpu_as_the_labs_device_still_races_against_the_simulated_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYNCPOINT_DEVICE", "cpu")
    monkeypatch.setattr("syncpoint.devices._chosen", None)
    x = torch.ones(1000)
    race = sp.race(lambda: x + 1, lambda: x.to("sim") + 1)
    assert "first function used the device" not in race.text
    assert race.cpu_us > 0


def test_lanes_have_a_row_for_the_host_and_one_for_the_device() -> None:
    attributes = dict(check(raced(4, 100_000)._repr_mimebundle_()["text/html"]).attributes)
    data = json.loads(attributes["data-race"])
    cpu, gpu = data["runs"][0]["lanes"]
    assert [row["name"] for row in cpu["rows"]] == ["host"]
    assert [row["name"] for row in gpu["rows"]] == ["host", "device"]
    assert [bar[0] for bar in gpu["rows"][1]["segments"]] == ["H2D", *["kernel"] * 4, "D2H"]
    assert {bar[0] for bar in gpu["rows"][0]["segments"]} == {"wait"}
    assert [kind for kind, _ in data["key"]] == ["host", "kernel", "H2D", "D2H", "wait"]


def test_overlapping_streams_and_copies_get_rows_of_their_own() -> None:
    where = {"file": "", "line": 0, "source": "", "device": "sim:0", "bytes": 0, "at_us": 100.0, "op": "aten.add"}
    launches = [Launch(stream=s, kernels=1, flops=0, start_us=100.0, end_us=110.0, **where) for s in (0, 3)]
    copies = [Copy(kind="H2D", pinned=True, non_blocking=True, blocking=False, start_us=105.0, end_us=120.0, **where)]
    trace: Any = SimpleNamespace(
        start_us=100.0, elapsed_us=20.0, host_ops=[], waits=[], launches=launches, copies=copies
    )
    rows = lane("GPU", trace).rows
    assert [(row.name, row.segments[0].start, row.segments[0].end) for row in rows] == [
        ("stream 0", 0, 10), ("stream 3", 0, 10), ("copies", 5, 20),
    ]  # fmt: skip


def test_many_segments_are_drawn_as_few_slices_of_the_same_weight() -> None:
    """Half of the time is work, in 1,000 pieces: the drawing has no more than SLICES, and they say "half"."""
    row = Row("device", [Segment("kernel", 2.0 * i, 2.0 * i + 1) for i in range(1000)])
    slices = drawn(row, 2000.0)
    assert 1 <= len(slices) <= SLICES
    weight = sum((s.end - s.start) * s.busy for s in slices)
    assert weight == pytest.approx(1000, rel=0.05)
    assert all(a.end <= b.start + 1e-6 for a, b in zip(slices, slices[1:], strict=False))


def test_few_segments_are_drawn_as_they_are() -> None:
    row = Row("device", [Segment("kernel", 0.0, 1.0), Segment("D2H", 1.0, 3.0)])
    assert drawn(row, 3.0) is row.segments


def test_race_wants_both_functions_uncalled() -> None:
    with pytest.raises(TypeError, match="two functions"):
        sp.race(lambda: None)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="fn_gpu is a Tensor, not a function. Pass it without calling it"):
        sp.race(lambda: None, torch.ones(1))  # type: ignore[call-overload]


def test_an_error_in_a_function_is_the_learners_to_see() -> None:
    with pytest.raises(ZeroDivisionError):
        sp.race(lambda: 1 / 0, lambda: None, device="sim")
