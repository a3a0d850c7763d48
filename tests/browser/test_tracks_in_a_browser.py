"""The demos that compute or choose in the page itself: every setting says there what it says in Python."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from conftest import ShowDemo

import syncpoint as sp
from syncpoint.demos import bubble, hazard_runs, overlap_runs

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser
#: Puts sliders and radio buttons to one setting after the other, touching only what changes, and reads the caption.
SAID = """(demo, settings) => settings.map((setting, n) => {
    const sliders = [...demo.querySelectorAll('input[type=range]')];
    const groups = [...demo.querySelectorAll('fieldset')].map(set => [...set.querySelectorAll('input')]);
    setting.forEach((at, i) => {
        if (n && settings[n - 1][i] === at) return;
        if (i < sliders.length) {
            sliders[i].value = at;
            sliders[i].dispatchEvent(new Event('input'));
        } else groups[i - sliders.length][at].click();
    });
    return demo.querySelector('figcaption').textContent;
})"""


def test_overlap_says_the_same_in_the_page(show: ShowDemo) -> None:
    _, demo = show("overlap")
    times = range(len(overlap_runs.TIMES))
    settings = list(itertools.product((0, 6), times, times, (0, 1), (0, 1)))
    for (n, copy, compute, memory, buffers), said in zip(settings, demo.evaluate(SAID, settings), strict=True):
        o = sp.overlap(n + 2)
        o.copy, o.compute = overlap_runs.TIMES[copy], overlap_runs.TIMES[compute]
        o.memory, o.buffers = overlap_runs.MEMORY[memory], buffers + 1
        assert said == o.text


def test_bubble_plays_by_the_same_rules_in_the_page(show: ShowDemo) -> None:
    _, demo = show("bubble")
    settings = list(itertools.product((0, 3, 12), range(6), (0, 2), (0, 1, 3, 6), (0, 1, 2), (0, 1)))
    for (m, n, c, p, slow, queued), said in zip(settings, demo.evaluate(SAID, settings), strict=True):
        b = sp.bubble(bubble.MICRO_BATCHES[m], n + 1)
        b.compute, b.copy, b.imbalance, b.copy_streams = c + 1, p, slow + 1, not queued
        assert said == b.text


def test_hazard_finds_the_run_of_every_setting(show: ShowDemo) -> None:
    _, demo = show("hazard")
    counts = (len(hazard_runs.MEMORY), len(hazard_runs.BEFORE_READ), len(hazard_runs.BEFORE_COPY), 2)
    settings = list(itertools.product(*map(range, counts)))
    for choice, said in zip(hazard_runs.choices(), demo.evaluate(SAID, settings), strict=True):
        h = sp.hazard()
        h.value = choice
        assert said == h.text.replace("`", "")


def test_hazard_marks_the_two_lines_and_the_spoilt_values(show: ShowDemo) -> None:
    page, demo = show("hazard")
    h = sp.hazard()
    choose(page, demo, "Before main reads", "main.wait_stream(side)")
    h.before_read = "wait_stream"
    lines = demo.locator("pre > span")
    assert [line.split(maxsplit=1)[1].strip() for line in demo.locator("pre").inner_text().splitlines() if line.strip()]
    racy = [i + 1 for i, line in enumerate(lines.all()) if line.get_attribute("class") == "sp-racy"]
    assert racy == sorted({line for pair in h.races for line in (pair.first.line, pair.second.line)})
    reads = demo.locator(".sp-track").nth(1).locator("i").all_inner_texts()
    assert reads == ["NaN", "NaN", "NaN", "4"]
    choose(page, demo, "Before side copies again", "side.wait_stream(main)")
    assert demo.locator(".sp-verdict").inner_text() == "✓ No race"
    assert demo.locator(".sp-racy").count() == 0


def choose(page: Page, demo: Locator, question: str, answer: str) -> None:
    demo.get_by_role("group", name=question).get_by_role("radio", name=answer, exact=True).check()


def test_bars_are_to_scale(show: ShowDemo) -> None:
    page, demo = show("overlap")
    copy, kernel = (
        demo.locator(f".sp-track i.sp-{kind}").first.evaluate("bar => bar.getBoundingClientRect().width")
        for kind in ("H2D", "kernel")
    )
    assert copy == pytest.approx(2 * kernel, rel=0.02)  # 120 us against 60
    assert demo.locator(".sp-track i.sp-host").count() == 4
    choose(page, demo, "Memory of the batches", "pinned")
    assert demo.locator(".sp-track i.sp-host").count() == 0


def test_bubble_has_a_row_for_each_stage_and_link(show: ShowDemo) -> None:
    page, demo = show("bubble")
    assert demo.locator(".sp-row").count() == 4 + 3
    assert demo.locator(".sp-track i.sp-kernel").count() == 16
    assert demo.locator(".sp-track i.sp-P2P").count() == 12
    choose(page, demo, "Copies", "in the stages' queues")
    assert demo.locator(".sp-row").count() == 4
    assert demo.locator(".sp-track i.sp-P2P").count() == 24  # in the queues of both stages
    page.get_by_role("slider", name="A copy takes, p").press("Home")
    assert demo.locator(".sp-track i.sp-P2P").count() == 0
