"""The queue demo worked by keyboard alone: on a plain page, in JupyterLab, and without a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import demo_notebooks
import pytest
from conftest import OpenPage
from lab_server import LabServer, run_all, set_theme
from nbformat.v4 import new_code_cell, new_notebook

import syncpoint as sp

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def html() -> str:
    return sp.queue()._repr_mimebundle_()["text/html"]


def shown(page: Page, html: str) -> Page:
    page.set_content(f"<!doctype html><html lang='en'><title>Queue</title><body>{html}")
    page.wait_for_selector("figure.sp-queue[data-ready]")
    return page


def work_by_keyboard(page: Page, figure: Locator) -> None:
    """The three sliders and the button, and what a learner then reads or hears."""
    from playwright.sync_api import expect

    caption, wait = figure.locator("figcaption"), figure.get_by_role("slider", name="Wait")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("misses 190 us of work")
    wait.focus()
    page.keyboard.press("End")
    expect(wait).to_have_attribute("aria-valuetext", "a wait after every job")
    expect(caption).to_contain_text("The host waited 6 times, 270 us in all")
    page.keyboard.press("Shift+Tab")
    launch = figure.get_by_role("slider", name="A launch takes")
    expect(launch).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("6 jobs of 40 us, 20 us for each launch")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Home")
    expect(figure.get_by_role("slider", name="A job runs")).to_have_attribute("aria-valuetext", "2 us")
    expect(caption).to_contain_text("6 jobs of 2 us, 20 us for each launch")
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(figure.get_by_role("button", name="Play")).to_be_focused()
    page.keyboard.press("Enter")
    expect(figure).to_have_attribute("data-running", "true")
    expect(figure).not_to_have_attribute("data-running", "true", timeout=10_000)


def test_by_keyboard_on_a_page(open_page: OpenPage, html: str, screenshot: Callable[[Page, str], None]) -> None:
    page = shown(open_page(width=820), html)
    work_by_keyboard(page, page.locator("figure.sp-queue"))
    screenshot(page, "queue")


def test_bars_show_what_the_words_say(open_page: OpenPage, html: str) -> None:
    page = shown(open_page(), html)
    assert page.locator(".sp-track i.sp-launch").count() == page.locator(".sp-track i.sp-kernel").count() == 6
    assert page.locator(".sp-track i.sp-wait").count() == 0
    page.get_by_role("slider", name="Wait").focus()
    page.keyboard.press("End")
    assert page.locator(".sp-track i.sp-wait").count() == 6
    kernel, launch = (
        page.locator(f".sp-track i.sp-{kind}").first.evaluate("bar => bar.getBoundingClientRect().width")
        for kind in ("kernel", "launch")
    )
    assert kernel == pytest.approx(4 * launch, rel=0.02)


def test_every_control_has_a_name_and_keeps_its_keys(open_page: OpenPage, html: str) -> None:
    page = shown(open_page(), html)
    controls = page.locator("input, button, summary")
    assert [c.get_attribute("data-lm-suppress-shortcuts") for c in controls.all()] == ["true"] * 4
    tree = page.locator("body").aria_snapshot()
    for name in ('slider "A job runs"', 'slider "A launch takes"', 'slider "Wait"', 'button "Play"', 'group "The work'):
        assert name in tree, tree


def test_reduced_motion_shows_the_end_at_once(open_page: OpenPage, html: str) -> None:
    page = shown(open_page(reduced_motion="reduce"), html)
    page.get_by_role("button", name="Play").press("Enter")
    assert page.locator("figure").get_attribute("data-running") is None
    assert page.locator(".sp-over u").is_visible()


def test_narrow_page_does_not_scroll_sideways(open_page: OpenPage, html: str) -> None:
    page = shown(open_page(width=400), html)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_script_picture_and_words_remain(open_page: OpenPage, html: str) -> None:
    page = open_page(width=400, java_script_enabled=False)
    page.set_content(html)
    assert page.locator("figure img").is_visible()
    assert "misses 190 us of work" in page.locator("figcaption").inner_text()
    assert page.locator("input, button").count() == 0


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_by_keyboard_in_jupyterlab(
    server: LabServer, open_page: OpenPage, screenshot: Callable[[Page, str], None], theme: str
) -> None:
    notebook = new_notebook(
        cells=[new_code_cell("import syncpoint as sp\n\nsp.queue()")],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    name = f"queue-{theme.split()[1].lower()}.ipynb"
    demo_notebooks.write(notebook, server.root / name)
    page = open_page()
    server.open_lab(page, name)
    run_all(page)
    page.wait_for_selector("figure.sp-queue[data-ready]", timeout=60_000)
    set_theme(page, theme)
    work_by_keyboard(page, page.locator("figure.sp-queue"))
    assert page.locator(".jp-Cell").count() == 1  # no shortcut of JupyterLab has heard the keys
    screenshot(page, f"queue-{theme.split()[1].lower()}")
