"""The layout demo worked by keyboard alone on a plain page, and what is left without a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from conftest import OpenPage

import syncpoint as sp

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def html() -> str:
    return sp.layout()._repr_mimebundle_()["text/html"]


def test_by_keyboard(open_page: OpenPage, html: str, screenshot: Callable[[Page, str], None]) -> None:
    from playwright.sync_api import expect

    page = open_page(width=820)
    page.set_content(f"<!doctype html><html lang='en'><title>Layout</title><body>{html}")
    page.wait_for_selector("figure.sp-layout[data-ready]")
    caption, row = page.locator("figcaption"), page.get_by_role("slider", name="Row")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("Element [1][2] is 12.0. Three reads lead there")
    row.focus()
    page.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("Element [2][2] is 22.0.")
    page.keyboard.press("Shift+Tab")  # the views
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="transpose")).to_be_checked()
    expect(caption).to_contain_text("Element [2][2] is 22.0.")
    page.keyboard.press("Shift+Tab")  # the structures
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="tensor")).to_be_checked()
    expect(caption).to_contain_text("x.T, shape (4, 3), strides (1, 4), not contiguous. Element [2, 2] is 22.0.")
    expect(caption).to_contain_text("2 × 1 + 2 × 4 = 10 elements behind the first one, and 10 × 4 = 40 bytes")
    screenshot(page, "layout")


def test_a_small_view_moves_the_sliders(open_page: OpenPage, html: str) -> None:
    from playwright.sync_api import expect

    page = open_page(width=400)
    page.set_content(f"<!doctype html><html lang='en'><title>Layout</title><body>{html}")
    page.wait_for_selector("figure.sp-layout[data-ready]")
    page.get_by_role("radio", name="step").check()
    column = page.get_by_role("slider", name="Column")
    expect(column).to_have_attribute("max", "1")
    expect(page.locator("figcaption")).to_contain_text("Element [1][1] is 12.0.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_without_a_script(open_page: OpenPage, html: str) -> None:
    page = open_page(java_script_enabled=False)
    page.set_content(f"<!doctype html><html lang='en'><title>Layout</title><body>{html}")
    assert page.locator("figure.sp-layout img").is_visible()
    assert "Nothing says where the next one lies." in page.locator("figcaption").inner_text()
