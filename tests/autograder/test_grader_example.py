"""`autograder demo` on the bundled class and the real labs: every score to the point.

The scores stand in example_scores.json. Each follows from what the student's file in autograder/example_students says:
who reads the loss in every step loses the points for the waits and keeps those for the values.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from autograder import demo, example_class, report, results
from autograder.course import Course
from autograder.jail import JailRunner
from autograder.kernels import Limits

pytestmark = pytest.mark.xdist_group("example class")
SCORES: dict[str, dict[str, dict[str, float]]] = json.loads(
    (Path(__file__).parent / "example_scores.json").read_text(encoding="utf-8")
)
EACH = [(lab, student) for lab, students in SCORES.items() for student in students]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, str]:
    """The course after the demonstration, and what it printed."""
    said: list[str] = []
    runner = JailRunner(Limits(cell_s=120, notebook_s=600))
    folder = tmp_path_factory.mktemp("example") / "demo"
    course = demo.demo(Course.find(Path(__file__)), folder, runner=runner, workers=2, say=said.append, quiet=True)
    return course, "\n".join(said)


def test_thirty_students_and_six_of_them_hand_in_both_labs() -> None:
    students = example_class.read_class(example_class.BUNDLED)
    both = [s for s in students if set(SCORES) <= set(s.edits)]
    assert len(both) >= 6
    assert len(students) >= 30
    assert len({s.about for s in students}) == len(students)


@pytest.mark.parametrize(("lab", "student"), EACH)
def test_scores_to_the_point(shown: tuple[Course, str], lab: str, student: str) -> None:
    course, _ = shown
    (row,) = [row for row in report.as_json(course, lab)["students"] if row["student"] == student]
    assert row["cells"] == SCORES[lab][student]
    assert row["state"] == ("unreadable" if student in ("ivo", "vic", "xia") else "graded")


@pytest.mark.parametrize(
    ("student", "note"),
    [
        ("gus", "missing answers: t01_2_answer"),
        ("hal", "names were lost and found again: t01_2_answer (called t01_1_answer) by its id"),
        ("nia", "moved back to their places: t01_3_test_values, t01_4_answer"),
        ("pia", "cell 't01_1_answer' is there more than once: the last one that was changed counts"),
        ("quin", "cell 't01_2_test' was marked to be skipped: it is run"),
        ("rex", "cell 't01_4_test' was a raw cell: it is a code cell again"),
        ("sam", "cell 't01_4_test' was edited: the lab's own text was used"),
        ("uma", "missing and put back: the cell that begins with 'import os'"),
    ],
)
def test_what_was_mended_is_told(shown: tuple[Course, str], student: str, note: str) -> None:
    course, _ = shown
    result = results.read(course.autograded(student, "01_tensors_and_devices"))
    assert result is not None
    assert note in result.notes


def test_the_students_page_tells_what_was_done_to_the_file(shown: tuple[Course, str]) -> None:
    course, _ = shown
    lab = "01_tensors_and_devices"
    page = (course.feedback("lea", lab) / f"{lab}.html").read_text(encoding="utf-8")
    assert "the notebook was called &#39;01_tensors_and_devices (1).ipynb&#39;" in page


def test_who_did_nothing_odd_has_no_notes(shown: tuple[Course, str]) -> None:
    course, _ = shown
    for student in ("ada", "ari", "edo", "flo", "jan", "kim", "wes", "yan", "zoe"):
        result = results.read(course.autograded(student, "01_tensors_and_devices"))
        assert result is not None
        assert result.notes == []


def test_the_table_and_where_the_feedback_is_are_printed(shown: tuple[Course, str]) -> None:
    course, text = shown
    for lab in SCORES:
        assert re.search(rf"^{lab}: \d+ submissions, 15 points$", text, re.MULTILINE)
        for student, cells in SCORES[lab].items():
            assert re.search(rf"^{student} +{sum(cells.values()):g} ", text, re.MULTILINE)
    (first,) = re.findall(r"^4\. feedback: \d+ pages, for example (.+)$", text, re.MULTILINE)
    assert Path(first).is_file()
    assert len(list(course.root.glob("feedback/*/*/*.html"))) == len(EACH)


@pytest.mark.parametrize(
    ("lab", "student", "cell", "line", "words"),
    [
        ("01_tensors_and_devices", "eli", "t01_5_test_waits", "loss.item()", ".item() waited 3 times"),
        ("03_mnist_cnn", "eli", "t03_4_test_b", "total += loss.item()", ".item() waited 12 times"),
    ],
)
def test_feedback_names_the_line_that_waited(
    shown: tuple[Course, str], lab: str, student: str, cell: str, line: str, words: str
) -> None:
    course, _ = shown
    result = results.read(course.autograded(student, lab))
    assert result is not None
    (seen,) = [c for c in result.cells if c.grade_id == cell]
    assert seen.place is not None
    assert line in seen.place.source
    page = (course.feedback(student, lab) / f"{lab}.html").read_text(encoding="utf-8")
    assert words in page
    assert re.search(rf'<span class="line here">.*{re.escape(line)}', page)
