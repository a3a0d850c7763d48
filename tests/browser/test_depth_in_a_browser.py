"""The depth demo worked by keyboard alone: on a plain page, in JupyterLab, and without a script."""

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
CODE = "import syncpoint as sp\n\nsp.depth()"


@pytest.fixture(scope="module")
def html() -> str:
    return sp.depth()._repr_mimebundle_()["text/html"]


def shown(page: Page, html: str) -> Page:
    page.set_content(f"<!doctype html><html lang='en'><title>Depth</title><body>{html}")
    page.wait_for_selector("figure.sp-depth[data-ready]")
    return page


def work_by_keyboard(page: Page, figure: Locator) -> None:
    """Both sliders, and what a learner then reads or hears."""
    from playwright.sync_api import expect

    caption, layers = figure.locator("figcaption"), figure.get_by_role("slider", name="Layers")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("8 layers are 2 too few: converged is False")
    layers.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("10 layers are exactly enough: converged is True, and the error is 0.000977.")
    expect(layers).to_have_attribute("aria-valuetext", "10")
    expect(figure.get_by_role("row", name="10 layers")).to_contain_text("0.000977")
    page.keyboard.press("Shift+Tab")
    tolerance = figure.get_by_role("slider", name="Tolerance")
    expect(tolerance).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(tolerance).to_have_attribute("aria-valuetext", "0.0001")
    expect(caption).to_contain_text("Tolerance 0.0001: the loop needs 14 steps. 10 layers are 4 too few")
    page.keyboard.press("Home")
    expect(caption).to_contain_text("10 layers are enough: converged is True, and the error is 0.0625. The last 6")
    expect(figure.get_by_role("row", name="Python while")).to_contain_text("5")


def test_by_keyboard_on_a_page(open_page: OpenPage, html: str, screenshot: Callable[[Page, str], None]) -> None:
    page = shown(open_page(width=820), html)
    work_by_keyboard(page, page.locator("figure.sp-depth"))
    screenshot(page, "depth")


def test_bars_show_what_the_words_say(open_page: OpenPage, html: str) -> None:
    page = shown(open_page(), html)
    classes = [bar.get_attribute("class") for bar in page.locator(".sp-bars i").all()]
    assert classes == ["sp-works"] * 8 + ["sp-absent"] * 2 + ["sp-beyond"] * 14
    page.get_by_role("slider", name="Layers").focus()
    page.keyboard.press("End")
    classes = [bar.get_attribute("class") for bar in page.locator(".sp-bars i").all()]
    assert classes == ["sp-works"] * 10 + ["sp-idle"] * 14
    heights = page.locator(".sp-bars i").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().height)")
    assert heights[:10] == sorted(heights[:10], reverse=True)
    assert len(set(heights[9:])) == 1


def test_every_control_has_a_name_and_keeps_its_keys(open_page: OpenPage, html: str) -> None:
    page = shown(open_page(), html)
    controls = page.locator("input, button, summary")
    assert controls.count() == 2
    assert [c.get_attribute("data-lm-suppress-shortcuts") for c in controls.all()] == ["true", "true"]
    tree = page.locator("body").aria_snapshot()
    for name in ('slider "Tolerance"', 'slider "Layers"', 'group "How many layers does a loop need?"'):
        assert name in tree, tree


def test_narrow_page_does_not_scroll_sideways(
    open_page: OpenPage, html: str, screenshot: Callable[[Page, str], None]
) -> None:
    page = shown(open_page(width=400), html)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    screenshot(page, "depth-narrow")


def test_without_script_picture_and_words_remain(open_page: OpenPage, html: str) -> None:
    page = open_page(width=400, java_script_enabled=False)
    page.set_content(html)
    assert page.locator("figure img").is_visible()
    assert "10 layers are exactly enough" in page.locator("figcaption").inner_text()
    assert page.locator("input, table").count() == 0


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_by_keyboard_in_jupyterlab(
    server: LabServer, open_page: OpenPage, screenshot: Callable[[Page, str], None], theme: str
) -> None:
    notebook = new_notebook(
        cells=[new_code_cell(CODE)], metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    )
    name = f"depth-{theme.split()[1].lower()}.ipynb"
    demo_notebooks.write(notebook, server.root / name)
    page = open_page()
    server.open_lab(page, name)
    run_all(page)
    page.wait_for_selector("figure.sp-depth[data-ready]", timeout=60_000)
    set_theme(page, theme)
    work_by_keyboard(page, page.locator("figure.sp-depth"))
    assert page.locator(".jp-Cell").count() == 1  # no shortcut of JupyterLab has heard the keys
    screenshot(page, f"depth-{theme.split()[1].lower()}")
