"""The race explorer: its verdicts are the detector's own, and its words, code and page follow the choices."""

from __future__ import annotations

import doctest
import json
import math
from collections.abc import Iterator

import pytest
import torch
from html_check import check, stands_alone

import syncpoint as sp
from syncpoint.demos import hazard as hazard_module
from syncpoint.demos import hazard_runs
from syncpoint.demos.hazard import ASKED, Hazard
from syncpoint.demos.hazard_runs import BEFORE_COPY, BEFORE_READ, EXPECTED, MEMORY, Choice, choices, runs

NAN = math.nan


@pytest.fixture(autouse=True)
def a_t4() -> Iterator[None]:
    yield
    sp.sim.use("T4")


def at(memory: str, before_read: str, before_copy: str, record_stream: bool = False) -> Hazard:
    h = sp.hazard()
    h.memory, h.before_read, h.before_copy, h.record_stream = memory, before_read, before_copy, record_stream
    return h


# Verdicts ----------------------------------------------------------------------------------------------------------


def ordered(choice: Choice) -> bool:
    """Whether the program is free of races, by thinking about it and not by running it."""
    copied_before_read = choice.before_read in ("wait_stream", "event", "synchronize")
    if choice.memory == "new":
        kept = choice.record_stream
    else:
        # One line late, the copy waits for the reads launched an iteration ago: enough when there are two buffers.
        kept = choice.before_copy in ("wait_stream", "event") or (
            choice.before_copy == "late wait_stream" and choice.memory == "two"
        )
    return copied_before_read and kept


@pytest.mark.parametrize("memory", MEMORY)
def test_verdict_of_every_setting(memory: str) -> None:
    """Values are spoilt exactly where there is a race."""
    for choice in [choice for choice in choices() if choice.memory == memory]:
        h = at(*choice)
        assert h.safe is ordered(choice), (choice, h.text)
        assert h.safe is (h.values == EXPECTED), choice
        assert h.text.startswith("No race." if h.safe else "A race."), choice


def test_every_verdict_comes_from_the_programs_trace() -> None:
    """The program that the page shows, run here by hand, has the races that the page tells."""
    for choice in list(choices())[::7]:
        h = at(*choice)
        sp.sim.use("T4")
        lines = h.code.splitlines()
        start = lines.index("for i, batch in enumerate(batches):")
        names = {"torch": torch, "results": [], "batches": [torch.full((8,), v).pin_memory() for v in EXPECTED]}
        exec("\n".join(lines[:start]), names)
        with sp.trace("sim") as t:
            exec("\n".join(lines[start:]), names)
        assert sum(pair.times for pair in h.races) == len(t.races), choice
        assert {pair.kind for pair in h.races} == {race.kind for race in t.races}, choice


@pytest.mark.parametrize(
    ("choice", "values", "elapsed_us", "waits"),
    [
        (("one", "nothing", "nothing"), (NAN, NAN, NAN, NAN), 240, 0),
        (("one", "wait_stream", "nothing"), (NAN, NAN, NAN, 4), 280, 0),
        (("two", "event", "nothing"), (NAN, NAN, 3, 4), 280, 0),
        (("one", "wait_stream", "wait_stream"), (1, 2, 3, 4), 400, 0),
        (("two", "wait_stream", "wait_stream"), (1, 2, 3, 4), 400, 0),
        (("two", "event", "event"), (1, 2, 3, 4), 280, 0),
        (("one", "synchronize", "wait_stream"), (1, 2, 3, 4), 400, 4),
        (("new", "event", "nothing"), (NAN, NAN, NAN, NAN), 280, 0),
        (("new", "event", "nothing", True), (1, 2, 3, 4), 280, 0),
    ],
)
def test_numbers(choice: tuple, values: tuple[float, ...], elapsed_us: float, waits: int) -> None:
    h = at(*choice)
    assert h.values == pytest.approx(values, nan_ok=True)
    assert (h.elapsed_us, h.waits) == (elapsed_us, waits)


def test_times_are_those_of_the_formula() -> None:
    copy, read, n = hazard_runs.COPY_US, hazard_runs.READ_US, len(EXPECTED)
    assert at("one", "event", "event").elapsed_us == n * (copy + read)
    assert at("two", "event", "event").elapsed_us == copy + (n - 1) * max(copy, read) + read


def test_a_race_names_the_two_lines_of_the_program() -> None:
    for choice, run in runs().items():
        lines = [line.strip() for line in run.code.splitlines()]
        for pair in run.pairs:
            for access in (pair.first, pair.second):
                assert lines[access.line - 1] == access.source, choice


# Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (("one", "nothing", "nothing"), "Line 9 on main (`results.append(x.mean())`) against line 8 on side (`x.copy_("
                                        "batch, non_blocking=True)`): read before the write has finished, 4 times."),
        (("one", "nothing", "nothing"), "Main reads NaN, NaN, NaN, NaN instead of 1, 2, 3, 4. All is done after 240"),
        (("one", "wait_stream", "nothing"), "written while it is still being read, 3 times. Let the writer wait"),
        (("two", "event", "event"), "No race. Main reads 1, 2, 3, 4, as it should. All is done after 280 us. No prog"),
        (("two", "event", "wait_stream"), "after 400 us. The fastest program without a race takes 280 us."),
        (("one", "synchronize", "event"), "The host waited 4 times, 340 us in all."),
        (("new", "event", "nothing"), "on side (`del x`) against line 10 on main (`results.append(x.mean())`): free"),
        (("new", "event", "nothing"), "tensor.record_stream(stream)"),
    ],
)  # fmt: skip
def test_words_follow_the_choices(choice: tuple, said: str) -> None:
    assert said in at(*choice).text


@pytest.mark.parametrize(
    ("name", "bad"),
    [("memory", "three"), ("before_read", "late wait_stream"), ("before_copy", 1), ("record_stream", 1),
     ("record_stream", "yes"), ("memory", None)],
)  # fmt: skip
def test_impossible_choices(name: str, bad: object) -> None:
    h = sp.hazard()
    with pytest.raises(ValueError, match=rf"hazard\(\)\.{name}: {bad!r}; choose one of"):
        setattr(h, name, bad)
    assert h.value == ("one", "nothing", "nothing", False)


def test_value_sets_all_four() -> None:
    h = sp.hazard()
    h.value = ("two", "event", "event", False)
    assert h.safe
    with pytest.raises(ValueError, match="give \\(memory, before_read, before_copy, record_stream\\)"):
        h.value = ("two", "event")  # type: ignore[assignment]


def test_plain_text_is_the_program_and_the_verdict() -> None:
    h = at("two", "wait_stream", "nothing")
    assert "        x.copy_(batch, non_blocking=True)\n" in repr(h)
    assert repr(h).endswith(h.text)


# The page ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def html() -> str:
    return sp.hazard()._repr_mimebundle_()["text/html"]


def test_page_is_well_formed_and_asks_for_nothing_outside(html: str) -> None:
    stands_alone(html)


def test_words_and_picture_remain_without_a_script(html: str) -> None:
    page = check(html)
    text = "".join(page.text)
    for said in ("No waits: A race.", "Main reads NaN, NaN, NaN, 4", "Two buffers, events: No race."):
        assert said in text
    attributes = dict(page.attributes)
    assert attributes["src"].startswith("data:image/png;base64,")
    assert len(attributes["alt"]) > 20


def test_data_for_the_script() -> None:
    """The script finds a run by the positions of the four choices."""
    h = at("two", "event", "late wait_stream", True)
    data = json.loads(dict(check(h._repr_mimebundle_()["text/html"]).attributes)["data-hazard"])
    assert [len(texts) for _, texts in data["controls"]] == [len(MEMORY), len(BEFORE_READ), len(BEFORE_COPY), 2]
    assert data["chosen"] == [1, 2, 3, 1]
    assert len(data["runs"]) == 3 * 5 * 4 * 2
    run = data["runs"][((1 * 5 + 2) * 4 + 3) * 2 + 1]
    assert (run["code"], run["safe"], run["end"]) == (h.code, h.safe, h.elapsed_us)
    assert list(ASKED) == [question for question, _ in data["controls"]]


def test_learners_machine_and_trace_are_left_alone() -> None:
    sp.sim.use("A100", devices=2)
    module = torch.get_device_module("sim")
    runs.cache_clear()
    before = (module.get_device_name(), module.device_count(), module.clock_us())
    with sp.trace("sim") as t:
        assert not sp.hazard().safe
    assert (module.get_device_name(), module.device_count(), module.clock_us()) == before
    assert (t.host_us, t.races, t.launches, t.copies, t.waits) == (0, [], [], [], [])


def test_learners_defaults_change_nothing() -> None:
    before = runs()
    runs.cache_clear()
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("sim")
    try:
        with torch.no_grad():
            again = runs()
    finally:
        torch.set_default_device(None)
        torch.set_default_dtype(torch.float32)
    assert [run.pairs for run in again.values()] == [run.pairs for run in before.values()]
    assert [run.elapsed_us for run in again.values()] == [run.elapsed_us for run in before.values()]


def test_no_figure_stays_open() -> None:
    import matplotlib.pyplot as plt

    plt.close("all")
    sp.hazard()._repr_mimebundle_()
    assert plt.get_fignums() == []


def test_examples_in_the_docstrings() -> None:
    for module in (hazard_module, hazard_runs):
        result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
        assert result.attempted > 0, module
        assert result.failed == 0, module
