"""One Jupyter server and one browser for all browser tests. Where one is missing they skip, and say what to install.

With SYNCPOINT_REQUIRE_BROWSER=1 a missing one is a failure. With SYNCPOINT_SCREENSHOTS=FOLDER the tests leave their
pictures there.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import demo_notebooks
import pytest
from lab_server import LabServer, lab_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def _missing(what: str) -> NoReturn:
    if os.environ.get("SYNCPOINT_REQUIRE_BROWSER") == "1":
        pytest.fail(f"SYNCPOINT_REQUIRE_BROWSER=1, but {what}")
    pytest.skip(what)


def thrown_by_jupyter(error: str) -> bool:
    """Whether it was thrown in a bundle that JupyterLab or an extension brought.

    Notebook 7.6 with nbgrader 0.9.6 throws two at each start ("reading 'schema'", "already registered").
    """
    thrown = next((line for line in error.splitlines() if line.lstrip().startswith("at ")), "")
    return "/static/" in thrown


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless chromium: the one named by CHROMIUM, else the system's.

    It ends with each file: while playwright runs, asyncio.run() is refused in the whole process, and other tests
    execute notebooks with it.
    """
    if importlib.util.find_spec("playwright") is None:
        _missing("playwright is not installed: pip install -e '.[test]'")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        _missing("chromium is not installed: apt-get install chromium, or set CHROMIUM to its path")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, headless=True, args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    for program, extra in (("jupyterlab", "lab"), ("notebook", "test")):
        if importlib.util.find_spec(program) is None:
            _missing(f"{program} is not installed: pip install -e '.[{extra}]'")
    with lab_server(tmp_path_factory.mktemp("lab")) as running:
        yield running


OpenPage = Callable[..., "Page"]


@pytest.fixture(scope="module")
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Makes pages, closes them, and fails when one of them had a script error."""
    contexts, errors = [], list[str]()

    def open_one(width: int = 1280, height: int = 900, **options: object) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{error}\n{error.stack}"))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [error for error in errors if not thrown_by_jupyter(error)] == []


ShowDemo = Callable[..., "tuple[Page, Locator]"]


@pytest.fixture
def show(open_page: OpenPage) -> ShowDemo:
    """Puts one demo on a plain page, as an exported notebook holds it; returns the page and the demo's element."""

    def one(name: str, *, head: str = "", **options: object) -> tuple[Page, Locator]:
        page = open_page(**options)
        page.set_content(f"<!doctype html><html lang='en'><title>{name}</title>{head}<body>{demo_notebooks.html(name)}")
        if options.get("java_script_enabled", True):
            page.wait_for_selector(f".sp-{name}[data-ready]")
        return page, page.locator(f".sp-{name}")

    return one


@pytest.fixture
def screenshot() -> Callable[[Page, str], None]:
    """Keeps a picture for people to look at, where SYNCPOINT_SCREENSHOTS names a folder."""

    def keep(page: Page, name: str) -> None:
        folder = os.environ.get("SYNCPOINT_SCREENSHOTS")
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png")

    return keep
