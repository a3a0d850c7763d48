"""The layout demo's sliders on a page: a smaller view has fewer elements to choose from."""

from __future__ import annotations

import pytest
from conftest import ShowDemo

pytestmark = pytest.mark.browser


def test_a_small_view_moves_the_sliders(show: ShowDemo) -> None:
    from playwright.sync_api import expect

    page, demo = show("layout", width=400)
    page.get_by_role("radio", name="step").check()
    expect(page.get_by_role("slider", name="Column")).to_have_attribute("max", "1")
    expect(demo.locator("figcaption")).to_contain_text("Element [1][1] is 12.0.")
