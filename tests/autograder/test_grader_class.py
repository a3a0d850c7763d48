"""A whole class through release, grading, gradebook, report and feedback. It is graded once for all tests here."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
import tiny_lab
from tiny_lab import LAB

from autograder import example_class, feedback, grade, gradebook, notebooks, report, results, sheets
from autograder.course import Course, quiet
from autograder.kernels import CellRun, Limits, Runner
from autograder.results import Result

pytestmark = pytest.mark.xdist_group("graded class")

SCORES = {  # test_double 1, test_double_more 2, test_count 2, essay 3; None: a human decides
    "ann": (1, 2, 2, None),
    "bob": (0, 0, 0, 0),
    "cat": (1, 0, 2, None),
    "dan": (1, 2, 1, None),
    "eve": (0, 0, 0, None),
    "fay": (1, 2, 0, 0),
    "gil": (1, 2, 2, None),
    "hal": (0, 0, 0, 0),
    "ivy": (1, 0, 2, None),
    "joy": (1, 2, 0, None),
}
CELLS = ("test_double", "test_double_more", "test_count", "essay")
HIDDEN = "secret_number"  # stands only in the hidden test of the tiny lab


def result(course: Course, student: str) -> Result:
    found = results.read(course.autograded(student, LAB))
    assert found is not None
    return found


def cell(course: Course, student: str, name: str) -> results.CellResult:
    return next(c for c in result(course, student).cells if c.grade_id == name)


def marks(course: Course) -> dict[str, gradebook.Marks]:
    with quiet():
        return gradebook.marks(course, LAB)


def page(course: Course, student: str) -> str:
    return (course.feedback(student, LAB) / f"{LAB}.html").read_text(encoding="utf-8")


def test_the_class_is_complete() -> None:
    assert {s.name for s in example_class.read_class(tiny_lab.CLASS)} == set(SCORES)


@pytest.mark.parametrize("student", SCORES)
def test_scores_to_the_point(graded: Course, student: str) -> None:
    mark = marks(graded)[student].cells
    assert tuple(mark[name].auto for name in CELLS) == SCORES[student]
    assert tuple(mark[name].max_points for name in CELLS) == (1, 2, 2, 3)


def test_result_and_gradebook_agree(graded: Course) -> None:
    for student, mark in marks(graded).items():
        assert {c.grade_id: c.points for c in result(graded, student).cells if c.max_points} == {
            name: m.auto for name, m in mark.cells.items()
        }


@pytest.mark.parametrize(
    ("student", "name", "message"),
    [
        ("bob", "test_double", "no answer yet: task 1.1"),
        ("bob", "essay", "no answer yet"),
        ("cat", "test_double_more", "a check that is not shown failed: KeyError: -7"),
        ("dan", "test_count", "partly right: 1 of 2 points"),
        ("eve", "test_double", "RecursionError: maximum recursion depth exceeded"),
        ("eve", "test_count", "NameError: name 'count_even' is not defined"),
        ("eve", "count", "SyntaxError: '(' was never closed"),
        ("fay", "count", "this cell is missing from the notebook"),
        ("hal", "test_double", "the file is damaged, it is not valid JSON"),
    ],
)
def test_messages(graded: Course, student: str, name: str, message: str) -> None:
    assert cell(graded, student, name).message.startswith(message)


def test_the_learners_own_line_is_named(graded: Course) -> None:
    place = cell(graded, "cat", "test_double_more").place
    assert place == results.Place("double", 3, "return known[x]")


def test_what_was_mended_is_noted(graded: Course) -> None:
    assert result(graded, "fay").notes == [
        "missing and put back: setup, test_double_more, essay",
        "missing answers: count",
    ]
    assert result(graded, "gil").notes == [
        "cell 'test_count' is there more than once: the last one counts",
        "cell 'double' is there more than once: the last one counts",
    ]


def test_a_score_that_an_object_of_the_learners_own_made_is_flagged(graded: Course) -> None:
    assert result(graded, "joy").suspicions == ["compares by a class of its own, Many (seen in test_count)"]
    assert marks(graded)["joy"].cells["test_count"].needs_human


def test_hidden_tests_are_in_the_gradebooks_notebook_but_in_no_page(graded: Course) -> None:
    graded_notebook = graded.autograded("ivy", LAB) / f"{LAB}.ipynb"
    assert HIDDEN in graded_notebook.read_text(encoding="utf-8")
    for student in SCORES:
        assert HIDDEN not in page(graded, student), student
    assert cell(graded, "ivy", "test_double_more").message == "a check that is not shown failed: ValueError"
    assert result(graded, "ivy").suspicions == [
        "reads the text of the tests (seen in test_double_more)",
        "reads the frames of its callers (seen in test_double_more)",
    ]


def test_a_second_run_grades_nothing(graded: Course) -> None:
    class NeverRun(Runner):
        limits = Limits(cell_s=30)

        def run(self, notebook: object, folder: Path, imports: object = None) -> list[CellRun]:
            raise AssertionError("nothing has changed, so nothing should run")

    again = grade.grade(graded, LAB, runner=NeverRun())
    assert [r.status for r in again] == ["unreadable" if s == "hal" else "graded" for s in sorted(SCORES)]


def test_terminal_report(graded: Course) -> None:
    text = report.terminal(graded, LAB)
    assert re.search(r"^cat +3 +1 +2 +0\? +graded$", text, re.MULTILINE)
    assert re.search(r"^Task 1.1: double a number +5 +1 +3 +1 +59 %$", text, re.MULTILINE)
    assert re.search(r"^Task 1.3: explain +0 +0 +3 +7 +0 %$", text, re.MULTILINE)
    assert re.search(r"^hal +unreadable: the file is damaged", text, re.MULTILINE)


def test_csv_report(graded: Course) -> None:
    rows = list(csv.DictReader(io.StringIO(report.csv_text(graded, LAB))))
    assert [row["student"] for row in rows] == sorted(SCORES)
    assert all(float(row["points"]) == sum(s or 0 for s in SCORES[row["student"]]) for row in rows)


def test_pages_need_nothing_from_outside(graded: Course) -> None:
    pages = [page(graded, student) for student in SCORES] + [report.html(graded, LAB)]
    for text in pages:
        assert not re.search(r"(src|href)\s*=\s*[\"'](?!#)|@import|url\(", text)
        assert '<html lang="en">' in text
        assert text.count("<h1") == 1


def test_feedback_shows_the_answer_with_the_line(graded: Course) -> None:
    text = page(graded, "cat")
    assert '<span class="line here">  3      return known[x]    &lt;- here</span>' in text
    assert "<strong>3</strong> of 8 points" in text
    assert "waits for a human" in text


def test_learners_text_cannot_become_markup(graded: Course) -> None:
    sheet = next(s for s in sheets.sheets(graded, LAB) if s.student == "cat")
    sheet.student = "<script>alert(1)</script>"
    sheet.exercises[0].checks[1].seen.message = "<b>bold</b>"
    text = feedback.environment().get_template("feedback.html").render(feedback.page(graded, sheet))
    assert "<script>" not in text
    assert "<b>bold</b>" not in text


def test_the_graded_notebooks_are_readable(graded: Course) -> None:
    for student in set(SCORES) - {"hal"}:
        notebook = notebooks.read(graded.autograded(student, LAB) / f"{LAB}.ipynb")
        assert [n for c in notebook.cells if (n := notebooks.grade_id(c)) and n in CELLS] == list(CELLS)
