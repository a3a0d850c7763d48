"""nbgrader's formgrader on a course that `autograder` graded: a human's points, given there, survive a regrade."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lab_server import lab_server
from nbformat import NotebookNode, v4

from autograder import grade, gradebook, notebooks, release
from autograder.course import Course, quiet
from autograder.kernels import CellRun, Runner

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LAB = "01_words"
ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.browser


class AllPass(Runner):
    """Every test passes; no kernel is needed to look at formgrader."""

    def run(self, notebook: NotebookNode, folder: Path, imports: object = None) -> list[CellRun]:
        return []


@pytest.fixture
def course(tmp_path: Path) -> Course:
    about = {"schema_version": 3, "task": False}
    answer = v4.new_code_cell("# Task 1.1: double\n### BEGIN SOLUTION\nd = lambda x: 2 * x\n### END SOLUTION")
    answer.metadata["nbgrader"] = {**about, "grade": False, "solution": True, "locked": False, "grade_id": "d"}
    test = v4.new_code_cell("assert d(2) == 4")
    test.metadata["nbgrader"] = {**about, "grade": True, "solution": False, "locked": True, "grade_id": "t"}
    essay = v4.new_markdown_cell("Because.")
    essay.metadata["nbgrader"] = {**about, "grade": True, "solution": True, "locked": False, "grade_id": "e"}
    test.metadata.nbgrader["points"], essay.metadata.nbgrader["points"] = 2, 3
    root = tmp_path / "course"
    path = root / "source" / LAB / f"{LAB}.ipynb"
    path.parent.mkdir(parents=True)
    source = v4.new_notebook(cells=[answer, test, v4.new_markdown_cell("## Task 1.2: why"), essay])
    path.write_text(notebooks.dumps(notebooks.canonical(source)), encoding="utf-8")
    shutil.copyfile(ROOT / "nbgrader_config.py", root / "nbgrader_config.py")
    course = Course(root)
    release.release(course, LAB)
    handed_in = notebooks.read(course.release(LAB) / f"{LAB}.ipynb")
    handed_in.cells[0].source = "d = lambda x: 2 * x"
    handed_in.cells[-1].source = "It adds a number to itself."
    path = course.submitted("ann", LAB) / f"{LAB}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(notebooks.dumps(handed_in), encoding="utf-8")
    grade.grade(course, LAB, runner=AllPass())
    return course


def test_points_given_in_formgrader_survive_a_regrade(course: Course, browser: Browser, tmp_path: Path) -> None:
    with quiet():
        assert gradebook.marks(course, LAB)["ann"].points == 2
        with gradebook.book(course) as book:
            submission = book.find_submission_notebook(LAB, LAB, "ann").id
    with lab_server(tmp_path / "home", root=course.root) as server:
        # A header: formgrader's own requests do not carry the token of the page's address.
        context = browser.new_context(extra_http_headers={"Authorization": f"token {server.token}"})
        page = context.new_page()
        page.goto(f"{server.url}/formgrader/submissions/{submission}/")
        box = page.locator("input.score").last
        box.wait_for()
        assert page.get_by_text("It adds a number to itself.").first.is_visible()
        box.fill("2.5")
        with page.expect_response(lambda r: "/api/grade/" in r.url and r.request.method == "PUT"):
            box.press("Tab")
        page.locator("textarea.comment").last.fill("well said")
        with page.expect_response(lambda r: "/api/comment/" in r.url and r.request.method == "PUT"):
            page.locator("textarea.comment").last.press("Tab")
        context.close()
    for _ in range(2):
        with quiet():
            marks = gradebook.marks(course, LAB)["ann"]
        assert (marks.cells["e"].manual, marks.cells["t"].auto, marks.points) == (2.5, 2.0, 4.5)
        assert "well said" in marks.comments.values()
        grade.grade(course, LAB, runner=AllPass(), force=True)
