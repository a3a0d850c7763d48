"""Each demo worked by keyboard alone; every step is checked by what a learner then reads or hears.

Each function takes a page and the demo's element in it, fresh: nobody has touched its controls yet. The same steps run
on a plain page, in JupyterLab and in Notebook 7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def race(page: Page, figure: Locator) -> None:
    from playwright.sync_api import expect

    caption = figure.locator("figcaption")
    expect(caption).to_have_text("Choose an answer, then press Run.")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(figure.get_by_role("button", name="Run")).to_be_disabled()
    expect(figure.get_by_role("slider", name="Steps")).to_be_disabled()
    figure.get_by_role("radio", name="The CPU").focus()
    press(page, "ArrowDown")
    expect(figure.get_by_role("radio", name="The GPU")).to_be_checked()
    press(page, "Tab")
    expect(figure.get_by_role("button", name="Run")).to_be_focused()
    press(page, "Enter")
    expect(caption).to_contain_text("1 step: the CPU takes 32 ticks, the GPU 40 + 1 + 40 = 81 ticks.")
    expect(caption).to_contain_text("It came out another way.")
    press(page, "Tab")
    slider = figure.get_by_role("slider", name="Steps")
    expect(slider).to_be_focused()
    press(page, "ArrowRight")
    expect(caption).to_contain_text("the CPU takes 2 × 32 = 64 ticks, the GPU 40 + 2 + 40 = 82 ticks. The CPU finishes")
    press(page, "ArrowRight")
    expect(caption).to_contain_text("the CPU takes 3 × 32 = 96 ticks, the GPU 40 + 3 + 40 = 83 ticks. The GPU finishes")
    expect(caption).to_contain_text("From 3 steps on")
    expect(slider).to_have_attribute("aria-valuetext", "3 steps")


def quiz(page: Page, question: Locator) -> None:
    from playwright.sync_api import expect

    check, said = question.get_by_role("button", name="Check"), question.locator("[aria-live=polite]")
    expect(check).to_be_disabled()
    question.get_by_role("radio", name="Queues the work and returns.").focus()
    press(page, "ArrowDown", "Tab", "Enter")
    expect(said).to_contain_text("Not quite.")
    press(page, "Shift+Tab", "ArrowUp", "Tab", "Enter")
    expect(said).to_contain_text("Right. The host goes on at once; y is ready later.")


def queue(page: Page, figure: Locator) -> None:
    from playwright.sync_api import expect

    caption, wait = figure.locator("figcaption"), figure.get_by_role("slider", name="Wait")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("misses 190 us of work")
    wait.focus()
    press(page, "End")
    expect(wait).to_have_attribute("aria-valuetext", "a wait after every job")
    expect(caption).to_contain_text("The host waited 6 times, 270 us in all")
    press(page, "Shift+Tab")
    expect(figure.get_by_role("slider", name="A launch takes")).to_be_focused()
    press(page, "ArrowRight")
    expect(caption).to_contain_text("6 jobs of 40 us, 20 us for each launch")
    press(page, "Shift+Tab", "Home")
    expect(figure.get_by_role("slider", name="A job runs")).to_have_attribute("aria-valuetext", "2 us")
    expect(caption).to_contain_text("6 jobs of 2 us, 20 us for each launch")
    press(page, "Tab", "Tab", "Tab")
    play(page, figure)


def play(page: Page, figure: Locator) -> None:
    """The Play button, which has the focus."""
    from playwright.sync_api import expect

    expect(figure.get_by_role("button", name="Play")).to_be_focused()
    press(page, "Enter")
    expect(figure).to_have_attribute("data-running", "true")


def depth(page: Page, figure: Locator) -> None:
    from playwright.sync_api import expect

    caption, layers = figure.locator("figcaption"), figure.get_by_role("slider", name="Layers")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("8 layers are 2 too few: converged is False")
    layers.focus()
    press(page, "ArrowRight", "ArrowRight")
    expect(caption).to_contain_text("10 layers are exactly enough: converged is True, and the error is 0.000977.")
    expect(layers).to_have_attribute("aria-valuetext", "10")
    expect(figure.get_by_role("row", name="10 layers")).to_contain_text("0.000977")
    press(page, "Shift+Tab")
    tolerance = figure.get_by_role("slider", name="Tolerance")
    expect(tolerance).to_be_focused()
    press(page, "ArrowRight")
    expect(tolerance).to_have_attribute("aria-valuetext", "0.0001")
    expect(caption).to_contain_text("Tolerance 0.0001: the loop needs 14 steps. 10 layers are 4 too few")
    press(page, "Home")
    expect(caption).to_contain_text("10 layers are enough: converged is True, and the error is 0.0625. The last 6")
    expect(figure.get_by_role("row", name="Python while")).to_contain_text("5")


def layout(page: Page, figure: Locator) -> None:
    from playwright.sync_api import expect

    caption = figure.locator("figcaption")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("Element [1][2] is 12.0. Three reads lead there")
    figure.get_by_role("slider", name="Row").focus()
    press(page, "ArrowRight")
    expect(caption).to_contain_text("Element [2][2] is 22.0.")
    press(page, "Shift+Tab", "ArrowRight")  # the views
    expect(figure.get_by_role("radio", name="transpose")).to_be_checked()
    expect(caption).to_contain_text("Element [2][2] is 22.0.")
    press(page, "Shift+Tab", "ArrowRight", "ArrowRight")  # the structures
    expect(figure.get_by_role("radio", name="tensor")).to_be_checked()
    expect(caption).to_contain_text("x.T, shape (4, 3), strides (1, 4), not contiguous. Element [2, 2] is 22.0.")
    expect(caption).to_contain_text("2 × 1 + 2 × 4 = 10 elements behind the first one, and 10 × 4 = 40 bytes")


def overlap(page: Page, figure: Locator) -> None:
    from playwright.sync_api import expect

    caption, batches = figure.locator("figcaption"), figure.get_by_role("slider", name="Batches")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("4 batches from pageable memory, one buffer. Total time: 4 × (120 + 60) = 720 us.")
    batches.focus()
    press(page, "ArrowRight")
    expect(batches).to_have_attribute("aria-valuetext", "5")
    press(page, "Tab", "ArrowLeft")
    expect(figure.get_by_role("slider", name="A pinned copy takes")).to_have_attribute("aria-valuetext", "20 us")
    expect(caption).to_contain_text("5 × (60 + 60) = 600 us. With two buffers it would be 360 us.")
    press(page, "Tab", "Tab", "Tab", "ArrowUp")
    expect(figure.get_by_role("radio", name="pinned")).to_be_checked()
    expect(caption).to_contain_text("The host only queues the work")
    press(page, "Tab", "ArrowDown")
    expect(caption).to_contain_text("5 batches from pinned memory, two buffers. Total time: 20 + (5 - 1) × max(20, 60)")
    expect(caption).to_contain_text("+ 60 = 320 us. With one buffer it would be 400 us. The kernels set the pace")
    press(page, "Shift+Tab", "Shift+Tab")
    play(page, figure)


def hazard(page: Page, figure: Locator) -> None:
    from playwright.sync_api import expect

    caption, code = figure.locator("figcaption"), figure.get_by_role("group", name="The program")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("A race. Line 9 on main (results.append(x.mean())) against line 8 on side")
    expect(caption).to_contain_text("Main reads NaN, NaN, NaN, NaN instead of 1, 2, 3, 4.")
    expect(code.locator(".sp-racy")).to_have_count(2)
    figure.get_by_role("radio", name="one buffer").focus()
    press(page, "ArrowDown", "Tab", "ArrowDown", "ArrowDown")
    expect(figure.get_by_role("radio", name="an event from after the copy")).to_be_checked()
    expect(code).to_contain_text("main.wait_event(copied)")
    expect(caption).to_contain_text("Main reads NaN, NaN, 3, 4 instead of 1, 2, 3, 4.")
    press(page, "Tab", "ArrowDown")
    expect(caption).to_contain_text("No race. Main reads 1, 2, 3, 4, as it should. All is done after 400 us. The fast")
    press(page, "ArrowDown")
    expect(caption).to_contain_text("All is done after 280 us. No program without a race is faster.")
    expect(code.locator(".sp-racy")).to_have_count(0)
    press(page, "Tab", "ArrowDown")
    expect(code).to_contain_text("x.record_stream(main)")


def bubble(page: Page, figure: Locator) -> None:
    from playwright.sync_api import expect

    caption, m = figure.locator("figcaption"), figure.get_by_role("slider", name="Micro-batches, m")
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(caption).to_contain_text("4 micro-batches, 4 stages. Total time: 4 × 3 + 3 × 1 + 3 × max(3, 1) = 24 us.")
    m.focus()
    press(page, *["ArrowRight"] * 4)
    expect(m).to_have_attribute("aria-valuetext", "8")
    expect(caption).to_contain_text("+ 7 × max(3, 1) = 36 us. Without copy streams it would be 52 us.")
    press(page, "Tab", "Tab", "Tab", "Tab", "ArrowRight")
    expect(figure.get_by_role("slider", name="One stage takes")).to_have_attribute("aria-valuetext", "2 × as long")
    expect(caption).to_contain_text("(3 + 3 + 6 + 3) + 3 × 1 + 7 × max(6, 1) = 60 us.")
    press(page, "ArrowLeft", "Tab", "Tab", "ArrowDown")
    expect(figure.get_by_role("radio", name="in the stages' queues")).to_be_checked()
    expect(caption).to_contain_text("Total time: 52 us, from playing the timetable")
    press(page, "Shift+Tab")
    play(page, figure)


#: By the names of demo_notebooks.CODE.
WORK: dict[str, Callable[[Page, Locator], None]] = {
    "race": race, "quiz": quiz, "queue": queue, "depth": depth, "layout": layout, "overlap": overlap, "hazard": hazard,
    "bubble": bubble,
}  # fmt: skip
