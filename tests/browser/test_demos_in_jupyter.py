"""Every demo in a real JupyterLab, run there, and in a real Notebook 7, saved by a kernel that is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import by_keyboard
import demo_notebooks
import pytest
from conftest import OpenPage
from lab_server import LabServer, command, open_another, run_all, set_theme

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser
APPS = ("JupyterLab", "Notebook 7")


@pytest.fixture(scope="module")
def lab(server: LabServer, open_page: OpenPage) -> Page:
    """A notebook with all demos, open in JupyterLab, every cell run."""
    demo_notebooks.write(demo_notebooks.to_run(), server.root / "live.ipynb")
    page = open_page()
    server.open_lab(page, "live.ipynb")
    command(page, "application:toggle-left-area")  # room for 400 px
    run_all(page)
    page.wait_for_selector(".sp-race[data-ready] >> nth=1")
    return page


@pytest.fixture(scope="module")
def notebook7(server: LabServer, open_page: OpenPage) -> Page:
    """A trusted notebook with the outputs of all demos, open in Notebook 7; no cell is run."""
    notebook = demo_notebooks.saved()
    demo_notebooks.trust(notebook, server.data)
    demo_notebooks.write(notebook, server.root / "saved.ipynb")
    page = open_page()
    server.open_notebook7(page, "saved.ipynb")
    page.wait_for_selector(".sp-bubble[data-ready]")
    return page


@pytest.fixture(scope="module", params=APPS)
def app(request: pytest.FixtureRequest) -> Page:
    return request.getfixturevalue("lab" if request.param == "JupyterLab" else "notebook7")


@pytest.mark.parametrize("name", by_keyboard.WORK)
def test_by_keyboard(app: Page, name: str) -> None:
    cells = app.locator(".jp-Cell").count()
    by_keyboard.WORK[name](app, app.locator(f".sp-{name}").first)
    assert app.locator(".jp-Cell").count() == cells, "a shortcut of the notebook has heard the keys"


def test_letters_typed_on_a_control_do_not_reach_the_notebook(app: Page) -> None:
    """In command mode the notebook takes "b" for "insert a cell below"."""
    before = app.locator(".jp-Cell").count()
    app.get_by_role("radio", name="The GPU").first.focus()
    app.keyboard.press("b")
    app.keyboard.press("a")
    assert app.locator(".jp-Cell").count() == before


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
@pytest.mark.parametrize("width", [1280, 400])
def test_demos_fit_and_can_be_read(
    app: Page, theme: str, width: int, request: pytest.FixtureRequest, screenshot: Callable[[Page, str], None]
) -> None:
    app.set_viewport_size({"width": width, "height": 900})
    set_theme(app, theme)
    where = f"{request.node.callspec.params['app'].split()[0].lower()}-{theme.split()[1].lower()}-{width}"
    for name in demo_notebooks.CODE:
        demo = app.locator(f".sp-{name}").first
        bring(app, demo)
        screenshot(app, f"{where}-{name}")
        assert demo.evaluate("e => e.scrollWidth <= e.clientWidth"), f"{name} is wider than its place"
        assert contrast(demo) >= 4.5, name
        assert out_of_reach(demo) == [], name
    assert app.evaluate("document.documentElement.scrollWidth <= innerWidth")


def bring(app: Page, demo: Locator) -> None:
    """Scroll to a demo and wait until it is painted: notebooks leave out what is far from the window."""
    demo.evaluate("demo => demo.scrollIntoView()")
    app.wait_for_function("demo => demo.checkVisibility({contentVisibilityAuto: true})", arg=demo.element_handle())


def contrast(demo: Locator) -> float:
    """Of the text and of what is behind it, by WCAG's formula."""
    return demo.evaluate(
        """demo => {
            const rgb = (element, name) => getComputedStyle(element)[name].match(/[\\d.]+/g).map(Number);
            let behind = demo;
            while ((rgb(behind, 'backgroundColor')[3] ?? 1) === 0) behind = behind.parentElement;
            const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
                .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0.05);
            const [a, b] = [light(rgb(demo, 'color')), light(rgb(behind, 'backgroundColor'))];
            return Math.max(a, b) / Math.min(a, b);
        }"""
    )


def out_of_reach(demo: Locator) -> list[str]:
    """Controls that do not lie within the window, left to right, or are too small to hit."""
    return demo.evaluate(
        """demo => [...demo.querySelectorAll('input, button, summary')].filter(control => {
            const box = (control.closest('label') ?? control).getBoundingClientRect();
            return box.left < 0 || box.right > innerWidth || box.height < 16 || box.width < 16;
        }).map(control => control.outerHTML)"""
    )


def test_race_of_two_functions_shows_its_result_at_once(lab: Page) -> None:
    from playwright.sync_api import expect

    race = lab.get_by_role("group", name="A race of two functions")
    expect(race.locator("figcaption")).to_contain_text("The GPU finishes first")
    expect(race.locator(".sp-H2D").first).to_be_visible()
    button = race.get_by_role("button", name="Replay")
    button.focus()
    lab.keyboard.press("Enter")
    expect(race.locator("figcaption")).to_contain_text("The race is on.")
    expect(race.locator("figcaption")).to_contain_text("The GPU finishes first")


def test_untrusted_notebook_keeps_pictures_and_words(
    lab: Page, server: LabServer, screenshot: Callable[[Page, str], None]
) -> None:
    from playwright.sync_api import expect

    demo_notebooks.write(demo_notebooks.saved(), server.root / "untrusted.ipynb")
    open_another(lab, "untrusted.ipynb")
    notebook = lab.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    outputs = notebook.locator(".jp-OutputArea-output")
    expect(outputs).to_have_count(len(demo_notebooks.CODE))
    for i, name in enumerate(demo_notebooks.CODE):
        if name != "quiz":
            expect(outputs.nth(i).locator("img")).to_be_visible()
            assert outputs.nth(i).locator("img").get_attribute("alt")
            assert len(outputs.nth(i).locator("figcaption").text_content() or "") > 200
    expect(outputs.first).to_contain_text("3 steps: the CPU takes 3 × 32 = 96 ticks")
    expect(outputs.nth(1)).to_contain_text("A. Queues the work and returns.")
    outputs.nth(1).locator("summary").click()
    expect(outputs.nth(1)).to_contain_text("B. Not quite. Nothing here needs the value of y yet.")
    assert outputs.locator("input, button, svg").count() == 0
    assert "enhanceAll" not in outputs.first.inner_text()
    screenshot(lab, "untrusted")
