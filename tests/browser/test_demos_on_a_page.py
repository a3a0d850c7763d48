"""The demos as a plain page shows them: exported notebooks, Colab's sandboxed frames, other people's settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from conftest import OpenPage

import syncpoint as sp

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
CHOICES = [("Yes.", True, "It is so."), ("No.", False, "Look again.")]


@pytest.fixture(scope="module")
def race_html() -> str:
    return sp.race()._repr_mimebundle_()["text/html"]


def shown(page: Page, *demos: str) -> Page:
    page.set_content("<!doctype html><html lang='en'><title>Demos</title><body>" + "".join(demos))
    page.wait_for_selector("[data-ready]")
    return page


def test_reduced_motion_jumps_to_the_result(open_page: OpenPage, race_html: str) -> None:
    page = shown(open_page(reduced_motion="reduce"), race_html)
    page.get_by_role("radio", name="The CPU").check()
    page.evaluate(
        """() => {
            window.framesAsked = 0;
            const ask = window.requestAnimationFrame;
            window.requestAnimationFrame = step => { window.framesAsked += 1; return ask(step); };
        }"""
    )
    page.get_by_role("button", name="Run").click()
    assert "Your prediction was right. 1 step:" in page.locator("figcaption").inner_text()
    assert page.evaluate("window.framesAsked") == 0


def test_motion_is_smooth_and_ends_at_the_result(open_page: OpenPage, race_html: str) -> None:
    """Bars only grow, by many small steps, and the caption speaks when they are there."""
    page = shown(open_page(), race_html)
    page.get_by_role("radio", name="The GPU").check()
    page.get_by_role("button", name="Run").click()
    widths = page.evaluate(
        """async () => {
            const figure = document.querySelector('figure'), seen = [];
            while (figure.dataset.running) {
                await new Promise(requestAnimationFrame);
                const hidden = figure.querySelectorAll('.sp-track > div:last-child')[1].style.clipPath;
                seen.push(100 - parseFloat(hidden.split(' ')[1]));
            }
            return seen;
        }"""
    )
    assert widths == sorted(widths)
    assert len(set(widths)) > 20
    assert widths[-1] == pytest.approx(100 * 81 / (1.02 * 192), abs=0.1)


def test_every_control_has_a_name_and_keeps_its_keys(open_page: OpenPage, race_html: str) -> None:
    page = shown(open_page(), race_html, sp.quiz("Is it so?", CHOICES)._repr_mimebundle_()["text/html"])
    controls = page.locator("input, button, summary")
    assert controls.count() == 3 + 1 + 1 + 2 + 1
    for control in controls.all():
        assert control.get_attribute("data-lm-suppress-shortcuts") == "true"
    names = page.get_by_role("radio").all() + page.get_by_role("slider").all() + page.get_by_role("button").all()
    tree = page.locator("body").aria_snapshot()
    for name in ("The CPU", "The GPU", "Both at the same tick", "Steps", "Run", "Yes.", "No.", "Check"):
        assert f'"{name}"' in tree, tree
    assert len(names) == controls.count()


def test_questions_on_one_page_do_not_share_their_answers(open_page: OpenPage) -> None:
    quizzes = [sp.quiz(f"Question {n}?", CHOICES)._repr_mimebundle_()["text/html"] for n in (1, 2)]
    page = shown(open_page(), *quizzes)
    for n, choice in ((1, "Yes."), (2, "No.")):
        page.get_by_role("group", name=f"Question {n}?").get_by_role("radio", name=choice).check()
    assert [radio.is_checked() for radio in page.get_by_role("radio").all()] == [True, False, False, True]
    for button in page.get_by_role("button", name="Check").all():
        button.click()
    assert page.locator(".sp-said").all_inner_texts() == ["✓ Right. It is so.", "✗ Not quite. Look again."]


def test_script_that_runs_before_its_html(open_page: OpenPage, race_html: str) -> None:
    """Colab and VS Code take scripts out of the HTML and run them by themselves."""
    figure, _, script = race_html.partition("<script>")
    page = open_page()
    page.set_content(f"<!doctype html><body><script>{script}")
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", figure)
    page.get_by_role("button", name="Run").wait_for()


def test_nothing_is_loaded_from_outside_and_nothing_is_global(open_page: OpenPage, race_html: str) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("about:blank")
    before = set(page.evaluate("Object.getOwnPropertyNames(window)"))
    shown(page, race_html, sp.quiz("Is it so?", CHOICES)._repr_mimebundle_()["text/html"])
    assert [url for url in asked if not url.startswith(("about:", "data:"))] == []
    assert set(page.evaluate("Object.getOwnPropertyNames(window)")) == before
    assert page.locator("[id]").count() == 0


def test_without_script_picture_and_words_remain(
    open_page: OpenPage, race_html: str, screenshot: Callable[[Page, str], None]
) -> None:
    page = open_page(width=400, java_script_enabled=False)
    page.set_content(race_html + sp.quiz("Is it so?", CHOICES)._repr_mimebundle_()["text/html"])
    assert page.locator("figure img").is_visible()
    assert "3 steps: the CPU takes 3 × 32 = 96 ticks" in page.locator("figcaption").inner_text()
    assert page.locator("details").inner_text() == "Answer, with a word on each choice"
    assert page.locator("input, button").count() == 0
    screenshot(page, "no-script")


def test_forced_colours_keep_the_bars(
    open_page: OpenPage, race_html: str, screenshot: Callable[[Page, str], None]
) -> None:
    """High-contrast modes paint over backgrounds, and the bars are backgrounds."""
    page = shown(open_page(width=760, height=420, forced_colors="active", reduced_motion="reduce"), race_html)
    page.get_by_role("radio", name="The CPU").check()
    page.get_by_role("button", name="Run").click()
    bar = page.locator("i.sp-host").first
    assert bar.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(140, 140, 140)"
    screenshot(page, "forced-colours")
