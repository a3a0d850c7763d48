"""The queue demo's bars on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import ShowDemo

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_bars_show_what_the_words_say(show: ShowDemo) -> None:
    page, demo = show("queue")
    assert demo.locator(".sp-track i.sp-launch").count() == demo.locator(".sp-track i.sp-kernel").count() == 6
    assert demo.locator(".sp-track i.sp-wait").count() == 0
    page.get_by_role("slider", name="Wait").press("End")
    assert demo.locator(".sp-track i.sp-wait").count() == 6
    assert width(page, "kernel") == pytest.approx(4 * width(page, "launch"), rel=0.02)
    assert demo.locator(".sp-over u").is_visible(), "the line where a timer stops"


def width(page: Page, kind: str) -> float:
    return page.locator(f".sp-track i.sp-{kind}").first.evaluate("bar => bar.getBoundingClientRect().width")
