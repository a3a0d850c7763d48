"""What every demo promises wherever it is shown: named controls, keys, no sideways scrolling, words without script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import by_keyboard
import demo_notebooks
import pytest
from conftest import OpenPage, ShowDemo

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
#: The names that a screen reader says, besides those of the choices in a group.
CONTROLS = {
    "race": ['radio "The CPU"', 'button "Run"', 'slider "Steps"'],
    "quiz": ['group "What does', 'button "Check"'],
    "queue": ['slider "A job runs"', 'slider "A launch takes"', 'slider "Wait"', 'button "Play"', 'group "The work'],
    "depth": ['slider "Tolerance"', 'slider "Layers"', 'group "How many layers does a loop need?"'],
    "layout": ['group "Structure"', 'group "View"', 'slider "Row"', 'slider "Column"'],
    "overlap": ['slider "Batches"', 'slider "A pinned copy takes"', 'slider "A kernel takes"', 'button "Play"',
                'group "Memory of the batches"', 'group "Buffers on the device"'],
    "hazard": ['group "Memory for a batch"', 'group "Before main reads"', 'group "Before side copies again"',
               'group "What the allocator is told"', 'group "The program"'],
    "bubble": ['slider "Micro-batches, m"', 'slider "Stages, n"', 'slider "A stage takes, c"', 'group "Copies"',
               'slider "A copy takes, p"', 'slider "One stage takes"', 'button "Play"'],
}  # fmt: skip


@pytest.mark.parametrize("name", demo_notebooks.CODE)
def test_by_keyboard_with_named_controls_at_400_pixels(
    show: ShowDemo, name: str, screenshot: Callable[[Page, str], None]
) -> None:
    page, demo = show(name, width=400)
    tree = page.locator("body").aria_snapshot()
    assert [control for control in CONTROLS[name] if control not in tree] == [], tree
    controls = page.locator("input, button, summary")
    assert {control.get_attribute("data-lm-suppress-shortcuts") for control in controls.all()} == {"true"}
    by_keyboard.WORK[name](page, demo)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 400, "height": page.evaluate("document.documentElement.scrollHeight")})
    screenshot(page, f"page-400-{name}")


@pytest.mark.parametrize("name", [name for name in demo_notebooks.CODE if name != "quiz"])
def test_without_script_picture_and_words_remain(show: ShowDemo, name: str) -> None:
    page, demo = show(name, width=400, java_script_enabled=False)
    assert demo.locator("img").is_visible()
    assert len(demo.locator("figcaption").inner_text()) > 200
    assert page.locator("input, button").count() == 0


@pytest.mark.parametrize("name", ["queue", "overlap", "bubble"])
def test_reduced_motion_shows_the_end_at_once(show: ShowDemo, name: str) -> None:
    page, demo = show(name, reduced_motion="reduce")
    page.get_by_role("button", name="Play").press("Enter")
    assert demo.get_attribute("data-running") is None
    veils = page.locator(".sp-veil, .sp-track > div").evaluate_all("all => all.map(veil => veil.style.clipPath)")
    assert set(veils) == {""}


@pytest.mark.parametrize("name", ["queue", "overlap"])  # bubble plays by overlap's script
def test_play_ends_where_it_began(show: ShowDemo, name: str) -> None:
    """Bars grow by many small steps, and when the last is there the picture is the one from before."""
    page, demo = show(name)
    track = demo.locator(".sp-track").last
    before = track.inner_html()
    cuts = page.evaluate(
        """async name => {
            const figure = document.querySelector(`.sp-${name}`), seen = new Set();
            figure.querySelector('button').click();
            while (figure.dataset.running) {
                await new Promise(requestAnimationFrame);
                seen.add(figure.querySelector('.sp-track > div:last-child').style.clipPath);
            }
            return seen.size;
        }""",
        name,
    )
    assert cuts > 20
    assert track.inner_html().replace(' style=""', "") == before.replace(' style=""', "")


def test_demos_do_not_spoil_each_other(open_page: OpenPage) -> None:
    """Style sheets hold for the whole page: a demo looks the same beside all the others."""
    page = open_page()
    sizes = {}
    for name in demo_notebooks.CODE:
        page.set_content(demo_notebooks.html(name))
        page.wait_for_selector(f".sp-{name}[data-ready]")
        sizes[name] = _sizes(page, name)
    page.set_content("".join(map(demo_notebooks.html, demo_notebooks.CODE)))
    page.wait_for_selector(".sp-bubble[data-ready]")
    for name in demo_notebooks.CODE:
        assert _sizes(page, name) == sizes[name], name


def _sizes(page: Page, name: str) -> list[list[float]]:
    """Where every visible element of a demo lies, from the demo's own corner."""
    return page.locator(f".sp-{name}").evaluate(
        """demo => {
            const corner = demo.getBoundingClientRect();
            return [...demo.querySelectorAll('*')].filter(element => element.checkVisibility()).map(element => {
                const box = element.getBoundingClientRect();
                return [box.left - corner.left, box.top - corner.top, box.width, box.height].map(Math.round);
            });
        }"""
    )
