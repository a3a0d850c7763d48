"""The queue demo: its times are those of the simulator and of the formula, and its words follow the sliders."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import torch
from html_check import check, stands_alone

import syncpoint as sp
from syncpoint.demos.queue import EVERY, KERNELS, LAUNCHES, Queue
from syncpoint.demos.queue_runs import WAIT_US, schedule


@pytest.fixture(autouse=True)
def a_t4() -> Iterator[None]:
    yield
    sp.sim.use("T4")


def at(value: int, launch: int, wait: int | str, jobs: int = 6) -> Queue:
    q = sp.queue(jobs)
    q.value, q.launch, q.wait = value, launch, wait
    return q


# Numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("launch", LAUNCHES)
def test_times_are_those_of_the_formula(kernel: int, launch: int) -> None:
    slower = max(kernel, launch)
    assert at(kernel, launch, 0).host_us == 6 * launch
    assert at(kernel, launch, 0).device_us == launch + 5 * slower + kernel
    assert at(kernel, launch, 6).host_us == launch + 5 * slower + kernel + WAIT_US
    assert at(kernel, launch, EVERY).host_us == 6 * (launch + kernel + WAIT_US)


@pytest.mark.parametrize("wait", [0, 1, 3, 6, EVERY])
@pytest.mark.parametrize("kernel", [2, 10, 80])
def test_times_are_those_of_a_trace_on_the_simulator(kernel: int, wait: int | str) -> None:
    """The T4's host takes 10 us for a launch and 5 us for a wait."""
    sp.sim.use(chip="T4")
    module = torch.get_device_module("sim")
    with sp.trace("sim") as t:
        for job in range(1, 7):
            module.sleep(kernel)
            if wait in (job, EVERY):
                module.synchronize()
    q = at(kernel, 10, wait)
    assert q.host_us == pytest.approx(t.host_us)
    assert q.waits == len(t.waits)
    assert max(q.host_us, q.device_us) == pytest.approx(t.elapsed_us)
    assert sum(end - start for start, end in q.run.waits) == pytest.approx(sum(w.waited_us for w in t.waits))


def test_jobs_run_in_order_and_none_before_its_launch() -> None:
    run = schedule(5, kernel_us=7.0, launch_us=4.0, waits_after={2})
    assert all(kernel[0] >= launch[1] for kernel, launch in zip(run.kernels, run.launches, strict=True))
    assert all(a[1] <= b[0] for a, b in zip(run.kernels, run.kernels[1:], strict=False))
    assert run.waits == ((8.0, 18.0 + WAIT_US),)
    assert run.launches[2][0] == run.waits[0][1]
    assert run.idle_us == WAIT_US + 4.0


# Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("q", "said"),
    [
        ((40, 10, 0), "no wait. The host is through after 60 us, the device after 250 us. A timer that stops with the"
                      " host misses 190 us of work."),
        ((40, 10, 6), "A timer that stops with the host has seen all the work. The host waited once, 195 us in all."),
        ((40, 10, 5), "a wait after job 5. The host is through after 225 us, the device after 265 us. A timer that"
                      " stops with the host misses 40 us"),
        ((40, 10, EVERY), "The host waited 6 times, 270 us in all. The device stood idle for 75 us"),
        ((2, 10, 0), "6 jobs of 2 us, 10 us for each launch, no wait."),
    ],
)  # fmt: skip
def test_words_follow_the_sliders(q: tuple[int, int, int | str], said: str) -> None:
    assert said in at(*q).text


@pytest.mark.parametrize(
    ("name", "bad"),
    [("value", 41), ("value", "40"), ("launch", 0), ("wait", 7), ("wait", -1), ("wait", True), ("wait", "never")],
)
def test_impossible_positions(name: str, bad: object) -> None:
    q = sp.queue()
    with pytest.raises(ValueError, match=rf"queue\(\)\.{name}: {bad!r}; choose"):
        setattr(q, name, bad)
    assert (q.value, q.launch, q.wait) == (40, 10, 0)


@pytest.mark.parametrize("jobs", [1, 13, 2.5, "6", True])
def test_impossible_number_of_jobs(jobs: object) -> None:
    with pytest.raises(ValueError, match="from 2 to 12"):
        sp.queue(jobs)  # type: ignore[arg-type]


def test_plain_text_holds_a_table_of_the_waits() -> None:
    text = repr(sp.queue(3))
    assert [line.split()[-3:] for line in text.splitlines()[2:7]] == [
        ["30", "130", "0"], ["75", "145", "1"], ["105", "145", "1"], ["135", "130", "1"], ["165", "160", "3"],
    ]  # fmt: skip


# The page ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def html() -> str:
    return sp.queue()._repr_mimebundle_()["text/html"]


def test_page_is_well_formed_and_asks_for_nothing_outside(html: str) -> None:
    stands_alone(html)


def test_words_and_picture_remain_without_a_script(html: str) -> None:
    page = check(html)
    text = "".join(page.text)
    for said in ("misses 190 us of work", "a wait after job 6", "The host waited 6 times"):
        assert said in text
    attributes = dict(page.attributes)
    assert attributes["src"].startswith("data:image/png;base64,")
    assert "bars on one axis" in attributes["alt"]


def test_data_for_the_script() -> None:
    q = at(80, 20, 3)
    data = json.loads(dict(check(q._repr_mimebundle_()["text/html"]).attributes)["data-queue"])
    chosen = [slider[2] for slider in data["sliders"]]
    assert chosen == [KERNELS.index(80), LAUNCHES.index(20), 3]
    assert [slider[1][slider[2]] for slider in data["sliders"]] == ["80 us", "20 us", "a wait after job 3"]
    chart = data["charts"][chosen[0] * data["launches"] + chosen[1]]
    run = chart["runs"][3]
    assert (run["said"], run["end"], chart["us"]) == (q.text, q.host_us, [20, 80])
    assert run["launches"] == [start for start, _ in q.run.launches]
    assert run["kernels"] == [start for start, _ in q.run.kernels]
    assert run["waits"] == [list(span) for span in q.run.waits]


def test_the_learners_machine_is_left_alone() -> None:
    sp.sim.use(chip="A100")
    module = torch.get_device_module("sim")
    module.sleep(100)
    before = module.clock_us()
    with sp.trace("sim") as t:
        sp.queue()._repr_mimebundle_()
    assert (t.launches, t.waits, module.get_device_name()) == ([], [], "sim (A100)")
    assert module.clock_us() - before < 200
