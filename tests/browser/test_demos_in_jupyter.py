"""The demos in a real JupyterLab and Notebook 7, worked by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import demo_notebooks
import pytest
from conftest import OpenPage
from lab_server import LabServer, command, open_another, run_all, set_theme

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lab(server: LabServer, open_page: OpenPage) -> Page:
    """A notebook with all demos, open in JupyterLab, every cell run."""
    demo_notebooks.write(demo_notebooks.to_run(), server.root / "live.ipynb")
    page = open_page()
    server.open_lab(page, "live.ipynb")
    command(page, "application:toggle-left-area")  # room for 400 px
    run_all(page)
    page.wait_for_selector("figure.sp-race[data-ready] >> nth=1")
    return page


def race_by_keyboard(page: Page, race: Locator) -> None:
    """Predict, run and move the slider; every step is checked by what a learner would read or hear."""
    from playwright.sync_api import expect

    caption = race.locator("figcaption")
    expect(caption).to_have_text("Choose an answer, then press Run.")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(race.get_by_role("button", name="Run")).to_be_disabled()
    expect(race.get_by_role("slider", name="Steps")).to_be_disabled()

    race.get_by_role("radio", name="The CPU").focus()
    page.keyboard.press("ArrowDown")
    expect(race.get_by_role("radio", name="The GPU")).to_be_checked()
    page.keyboard.press("Tab")
    expect(race.get_by_role("button", name="Run")).to_be_focused()
    page.keyboard.press("Enter")
    expect(caption).to_contain_text("1 step: the CPU takes 32 ticks, the GPU 40 + 1 + 40 = 81 ticks.")
    expect(caption).to_contain_text("It came out another way.")

    page.keyboard.press("Tab")
    slider = race.get_by_role("slider", name="Steps")
    expect(slider).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("the CPU takes 2 × 32 = 64 ticks, the GPU 40 + 2 + 40 = 82 ticks. The CPU finishes")
    page.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("the CPU takes 3 × 32 = 96 ticks, the GPU 40 + 3 + 40 = 83 ticks. The GPU finishes")
    expect(caption).to_contain_text("From 3 steps on")
    expect(slider).to_have_attribute("aria-valuetext", "3 steps")


def test_race_by_keyboard_in_jupyterlab(lab: Page) -> None:
    race_by_keyboard(lab, lab.locator("figure.sp-race").first)


def test_quiz_by_keyboard_in_jupyterlab(lab: Page) -> None:
    from playwright.sync_api import expect

    quiz = lab.get_by_role("group", name="What does y = x + 1 do on a GPU?").locator("..")
    check, said = quiz.get_by_role("button", name="Check"), quiz.locator("[aria-live=polite]")
    expect(check).to_be_disabled()
    quiz.get_by_role("radio", name="Queues the work and returns.").focus()
    lab.keyboard.press("ArrowDown")
    lab.keyboard.press("Tab")
    expect(check).to_be_focused()
    lab.keyboard.press("Space")
    expect(said).to_contain_text("Not quite. Nothing here needs the value of y yet.")
    lab.keyboard.press("Shift+Tab")
    lab.keyboard.press("ArrowUp")
    lab.keyboard.press("Tab")
    lab.keyboard.press("Enter")
    expect(said).to_contain_text("Right. The host goes on at once; y is ready later.")
    assert said.locator("code").all_inner_texts() == ["y"]


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


def test_letters_typed_on_a_control_do_not_reach_the_notebook(lab: Page) -> None:
    """In command mode the notebook takes "b" for "insert a cell below"."""
    before = lab.locator(".jp-Cell").count()
    lab.get_by_role("radio", name="The GPU").first.focus()
    lab.keyboard.press("b")
    lab.keyboard.press("a")
    assert lab.locator(".jp-Cell").count() == before


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
@pytest.mark.parametrize("width", [1280, 400])
def test_demos_fit_and_can_be_read(lab: Page, theme: str, width: int, screenshot: Callable[[Page, str], None]) -> None:
    lab.set_viewport_size({"width": width, "height": 900})
    set_theme(lab, theme)
    for name in ("figure.sp-race >> nth=0", "div.sp-quiz", "figure.sp-race >> nth=1"):
        demo = lab.locator(name)
        demo.scroll_into_view_if_needed()
        screenshot(lab, f"{theme.split()[1].lower()}-{width}-{name.split('.')[1].split(' ')[0]}{name[-1]}")
        assert demo.evaluate("e => e.scrollWidth <= e.clientWidth"), "wider than its place"
        assert contrast(demo) >= 4.5


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


def test_untrusted_notebook_keeps_picture_and_words(
    lab: Page, server: LabServer, screenshot: Callable[[Page, str], None]
) -> None:
    from playwright.sync_api import expect

    demo_notebooks.write(demo_notebooks.saved(), server.root / "untrusted.ipynb")
    open_another(lab, "untrusted.ipynb")
    notebook = lab.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    outputs = notebook.locator(".jp-OutputArea-output")
    expect(outputs.first.locator("img")).to_be_visible()
    assert outputs.first.locator("img").get_attribute("alt")
    expect(outputs.first).to_contain_text("3 steps: the CPU takes 3 × 32 = 96 ticks")
    expect(outputs.nth(1)).to_contain_text("A. Queues the work and returns.")
    outputs.nth(1).locator("summary").click()
    expect(outputs.nth(1)).to_contain_text("B. Not quite. Nothing here needs the value of y yet.")
    assert outputs.locator("input, button, svg").count() == 0
    assert "enhanceAll" not in outputs.first.inner_text()
    screenshot(lab, "untrusted")


def test_saved_race_runs_without_its_kernel_in_notebook_7(server: LabServer, open_page: OpenPage) -> None:
    notebook = demo_notebooks.saved()
    demo_notebooks.trust(notebook, server.data)
    demo_notebooks.write(notebook, server.root / "saved.ipynb")
    page = open_page()
    server.open_notebook7(page, "saved.ipynb")
    page.wait_for_selector("figure.sp-race[data-ready]")
    race_by_keyboard(page, page.locator("figure.sp-race").first)
