"""The depth demo's bars on a page."""

from __future__ import annotations

import pytest
from conftest import ShowDemo

pytestmark = pytest.mark.browser


def test_bars_show_what_the_words_say(show: ShowDemo) -> None:
    page, demo = show("depth")
    bars = demo.locator(".sp-bars i")
    assert [bar.get_attribute("class") for bar in bars.all()] == (
        ["sp-works"] * 8 + ["sp-absent"] * 2 + ["sp-beyond"] * 14
    )
    page.get_by_role("slider", name="Layers").press("End")
    assert [bar.get_attribute("class") for bar in bars.all()] == ["sp-works"] * 10 + ["sp-idle"] * 14
    heights = bars.evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().height)")
    assert heights[:10] == sorted(heights[:10], reverse=True)
    assert len(set(heights[9:])) == 1
