"""The overlap demo: its times are the simulator's and the formula's, and its words and page follow the controls."""

from __future__ import annotations

import doctest
import json
from collections.abc import Iterator

import pytest
import torch
from html_check import check, stands_alone

import syncpoint as sp
from syncpoint.demos import overlap as overlap_module
from syncpoint.demos import overlap_runs
from syncpoint.demos.overlap import Overlap
from syncpoint.demos.overlap_runs import BUFFERS, MEMORY, MOST, TIMES, runs


@pytest.fixture(autouse=True)
def a_t4() -> Iterator[None]:
    yield
    sp.sim.use("T4")


def at(memory: str, buffers: int, n: int = 4, copy: int = 40, compute: int = 60) -> Overlap:
    o = sp.overlap(n)
    o.memory, o.buffers, o.copy, o.compute = memory, buffers, copy, compute
    return o


# Numbers -----------------------------------------------------------------------------------------------------------


def test_every_total_is_that_of_the_formula() -> None:
    """The closed form that the page shows, worked out as Python, against the end of the last kernel in the trace."""
    for memory in MEMORY:
        for buffers in BUFFERS:
            for copy in TIMES:
                for compute in TIMES:
                    for n in (2, 3, 7, MOST):
                        o = at(memory, buffers, n, copy, compute)
                        assert eval(o.formula.replace("×", "*")) == pytest.approx(o.total_us), o.text


def test_no_run_is_a_race() -> None:
    assert [key for key, run in runs().items() if run.races] == []


@pytest.mark.parametrize(
    ("memory", "buffers", "total_us", "host_us"),
    [("pageable", 1, 720, 480), ("pageable", 2, 540, 480), ("pinned", 1, 400, 0), ("pinned", 2, 280, 0)],
)
def test_numbers(memory: str, buffers: int, total_us: float, host_us: float) -> None:
    o = at(memory, buffers)
    assert o.total_us == pytest.approx(total_us)
    assert o.host_us == pytest.approx(host_us)


def test_pageable_copies_are_slower_by_the_catalogues_rates() -> None:
    link = sp.sim.chips.get("T4").link
    assert at("pageable", 2).copy_us == pytest.approx(40 * link.pinned_gbs / link.pageable_gbs)
    assert at("pinned", 2).copy_us == 40


def test_nothing_overlaps_with_one_buffer() -> None:
    for (_, buffers, *_), run in runs().items():
        spans = sorted([*run.copies, *run.kernels])
        apart = all(a[1] <= b[0] + 1e-9 for a, b in zip(spans, spans[1:], strict=False))
        assert apart is (buffers == 1)


# Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("o", "said"),
    [
        (("pinned", 2), "4 batches from pinned memory, two buffers. Total time: 40 + (4 - 1) × max(40, 60) + 60 = 280 "
                        "us. With one buffer it would be 400 us. The kernels set the pace: the copies hide behind "
                        "them. The host only queues the work"),
        (("pageable", 2), "120 + (4 - 1) × max(120, 60) + 60 = 540 us. With one buffer it would be 720 us. The copies"),
        (("pageable", 1), "Total time: 4 × (120 + 60) = 720 us. With two buffers it would be 540 us. Nothing runs"),
        (("pageable", 1), "takes 3 times as long as a pinned one: it is busy for 480 us."),
        (("pinned", 2, 3, 60, 60), "keep the same pace"),
    ],
)  # fmt: skip
def test_words_follow_the_controls(o: tuple, said: str) -> None:
    assert said in at(*o).text


@pytest.mark.parametrize(
    ("name", "bad"),
    [("value", 1), ("value", 9), ("value", "4"), ("memory", "slow"), ("buffers", 3), ("buffers", True), ("copy", 41),
     ("compute", 0)],
)  # fmt: skip
def test_impossible_positions(name: str, bad: object) -> None:
    o = sp.overlap()
    with pytest.raises(ValueError, match=rf"overlap\(\)\.{name}: {bad!r}; choose one of"):
        setattr(o, name, bad)
    assert (o.value, o.memory, o.buffers, o.copy, o.compute) == (4, "pageable", 1, 40, 60)


def test_impossible_number_of_batches() -> None:
    with pytest.raises(ValueError, match="choose one of 2, 3, 4, 5, 6, 7, 8"):
        sp.overlap(12)


def test_plain_text_holds_a_table_of_the_four_ways() -> None:
    lines = repr(sp.overlap()).splitlines()
    assert [line.split()[2:] for line in lines[2:6]] == [["720", "480"], ["540", "480"], ["400", "0"], ["280", "0"]]
    assert lines[-1] == sp.overlap().text


# The page ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def html() -> str:
    return sp.overlap()._repr_mimebundle_()["text/html"]


def test_page_is_well_formed_and_asks_for_nothing_outside(html: str) -> None:
    stands_alone(html)


def test_words_and_picture_remain_without_a_script(html: str) -> None:
    page = check(html)
    text = "".join(page.text)
    for total in ("= 720 us", "= 540 us", "= 400 us", "= 280 us"):
        assert total in text
    attributes = dict(page.attributes)
    assert attributes["src"].startswith("data:image/png;base64,")
    assert len(attributes["alt"]) > 20


def test_data_for_the_script() -> None:
    """The script finds a run by the positions of memory, buffers, copy and compute."""
    o = at("pageable", 2, 5, 80, 20)
    data = json.loads(dict(check(o._repr_mimebundle_()["text/html"]).attributes)["data-overlap"])
    assert [slider[2] for slider in data["sliders"]] == [3, TIMES.index(80), TIMES.index(20)]
    assert [radio[2] for radio in data["radios"]] == [1, 1]
    staging, copies, kernels = data["runs"][((1 * 2 + 1) * len(TIMES) + TIMES.index(80)) * len(TIMES) + TIMES.index(20)]
    assert kernels == [start for start, _ in o.run.kernels]
    assert copies == [start for start, _ in o.run.copies]
    assert staging == [start for start, _ in o.run.staging]


def test_learners_machine_and_trace_are_left_alone() -> None:
    sp.sim.use("A100", devices=2)
    module = torch.get_device_module("sim")
    runs.cache_clear()
    before = (module.get_device_name(), module.device_count(), module.clock_us())
    with sp.trace("sim") as t:
        assert sp.overlap().total_us == pytest.approx(720)
    assert (module.get_device_name(), module.device_count(), module.clock_us()) == before
    assert (t.host_us, t.launches, t.copies, t.waits) == (0, [], [], [])


def test_no_figure_stays_open() -> None:
    import matplotlib.pyplot as plt

    plt.close("all")
    sp.overlap()._repr_mimebundle_()
    assert plt.get_fignums() == []


def test_examples_in_the_docstrings() -> None:
    for module in (overlap_module, overlap_runs):
        result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
        assert result.attempted > 0, module
        assert result.failed == 0, module
