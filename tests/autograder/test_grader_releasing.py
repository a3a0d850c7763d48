"""From source to release: the stubs, the same bytes every time, and each kind of leak that is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import tiny_lab
from nbformat import NotebookNode
from tiny_lab import LAB, cell, code, text

from autograder import gradebook, leaks, notebooks, release
from autograder.course import Course, quiet


def released(course: Course) -> NotebookNode:
    return notebooks.parse(release.build(course, LAB)[f"{LAB}.ipynb"])


def test_stubs_name_their_task(course: Course) -> None:
    notebook = released(course)
    assert cell(notebook, "double").source == (
        "# Task 1.1: double a number\ndef double(x):\n    raise NotImplementedError(\"task 1.1: your code goes here\")"
    )
    assert cell(notebook, "count").source.endswith('\nraise NotImplementedError("task 1.2: your code goes here")')
    assert cell(notebook, "essay").source == "Write your answer here."


def test_hidden_tests_are_gone_and_visible_ones_stay(course: Course) -> None:
    assert cell(released(course), "test_double_more").source == "assert double(0) == 0"
    assert "double(2) should be 4" in cell(released(course), "test_double").source


def test_checksums_fit_what_is_released(course: Course) -> None:
    from nbgrader.utils import compute_checksum

    named = [c for c in released(course).cells if notebooks.grade_id(c)]
    assert named
    assert all(c.metadata.nbgrader.checksum == compute_checksum(c) for c in named)


def test_a_second_build_gives_the_same_bytes_and_writes_nothing(course: Course) -> None:
    first = release.build(course, LAB)
    assert release.release(course, LAB, check=True) == [f"new {LAB}.ipynb"]
    assert release.release(course, LAB) == [f"new {LAB}.ipynb"]
    assert (course.release(LAB) / f"{LAB}.ipynb").read_bytes() == first[f"{LAB}.ipynb"]
    assert release.build(course, LAB) == first
    assert release.release(course, LAB) == []


def test_the_release_is_in_canonical_form(course: Course) -> None:
    data = release.build(course, LAB)[f"{LAB}.ipynb"].decode()
    assert notebooks.canonical_text(data) == data


def test_images_go_along_and_vanish_with_their_source(course: Course) -> None:
    image = course.source(LAB) / "img" / "lanes.svg"
    image.parent.mkdir()
    image.write_text("<svg/>", encoding="utf-8")
    assert release.release(course, LAB) == [f"new {LAB}.ipynb", "new img/lanes.svg"]
    image.unlink()
    assert release.release(course, LAB) == ["gone img/lanes.svg"]
    assert not (course.release(LAB) / "img" / "lanes.svg").exists()


def test_other_files_are_refused(course: Course) -> None:
    (course.source(LAB) / "solutions.py").write_text("double = 2", encoding="utf-8")
    with pytest.raises(release.Refused, match=r"file solutions.py: only 01_tiny.ipynb and .*\.png.* are released"):
        release.build(course, LAB)


def test_the_gradebook_keeps_what_the_release_hides(course: Course) -> None:
    with quiet():
        gradebook.register(course, LAB)
        with gradebook.book(course) as gb:
            stored = gb.find_source_cell("test_double_more", LAB, LAB)
            assert "secret_number" in stored.source
            assert gb.find_assignment(LAB).max_score == 8
    assert not course.release(LAB).exists()  # release/ is not the business of grading


def no_marks(notebook: NotebookNode) -> None:
    cell(notebook, "double").source = "# Task 1.1\ndef double(x): return 2 * x"


def no_task(notebook: NotebookNode) -> None:
    cell(notebook, "count").source = "### BEGIN SOLUTION\npass\n### END SOLUTION"


def open_region(notebook: NotebookNode) -> None:
    cell(notebook, "double").source = "# Task 1.1\n### BEGIN SOLUTION\npass"


def misspelt(notebook: NotebookNode) -> None:
    cell(notebook, "double").source = "# Task 1.1\n### Begin solution\npass\n### END SOLUTION"


def stray_solution(notebook: NotebookNode) -> None:
    notebook.cells.insert(1, code("### BEGIN SOLUTION\n1\n### END SOLUTION"))


def stray_hidden_test(notebook: NotebookNode) -> None:
    notebook.cells.append(code("### BEGIN HIDDEN TESTS\n1\n### END HIDDEN TESTS"))


def hidden_in_answer(notebook: NotebookNode) -> None:
    cell(notebook, "double").source += "\n### BEGIN HIDDEN TESTS\n1\n### END HIDDEN TESTS"


def no_points(notebook: NotebookNode) -> None:
    cell(notebook, "test_count").metadata.nbgrader.points = 0


def bad_name(notebook: NotebookNode) -> None:
    cell(notebook, "test_count").metadata.nbgrader.grade_id = "test count"


def twice(notebook: NotebookNode) -> None:
    notebook.cells.append(code("1", grade_id="setup", locked=True))


def left_output(notebook: NotebookNode) -> None:
    cell(notebook, "double").execution_count = 3


def early_test(notebook: NotebookNode) -> None:
    notebook.cells.insert(0, code("assert True", grade_id="early", grade=True, locked=True, points=1))


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        (no_marks, "cell double", "no '### BEGIN SOLUTION'"),
        (no_task, "cell count", "it names no task: add a comment '# Task 3.2"),
        (open_region, "cell double", "line 2: 'BEGIN SOLUTION' is never closed"),
        (misspelt, "cell double", "nbgrader does not see the marker 'Begin solution'"),
        (stray_solution, "cell 2", "a solution outside an answer cell"),
        (stray_hidden_test, "cell 12", "a hidden test outside a test cell"),
        (hidden_in_answer, "cell double", "a hidden test outside a test cell"),
        (no_points, "cell test_count", "worth no points"),
        (bad_name, "cell test count", "'test count' must be 1 to 64 letters"),
        (twice, "cell setup", "this grade_id is used 2 times"),
        (left_output, "cell double", "an output or execution count is left in it"),
        (early_test, "cell early", "a test before any answer"),
    ],
)
def test_a_faulty_source_is_refused(
    course: Course, change: Callable[[NotebookNode], None], where: str, what: str
) -> None:
    notebook = tiny_lab.tiny_notebook()
    change(notebook)
    tiny_lab.write(course.source(LAB) / f"{LAB}.ipynb", notebook)
    with pytest.raises(release.Refused) as caught:
        release.build(course, LAB)
    assert [p for p in caught.value.problems if p.where == where and what in p.what], caught.value


def copied_solution(notebook: NotebookNode) -> None:
    notebook.cells.append(text("For example:\n\n```python\ntwice = x + x\nreturn   twice\n```"))


def copied_hidden_test(notebook: NotebookNode) -> None:
    hidden = cell(notebook, "test_double_more").source.split("\n")[2:4]
    notebook.cells.append(code("if True:\n" + "\n".join(f"    {line}" for line in hidden)))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (copied_solution, "the solution of cell double can be read in it"),
        (copied_hidden_test, "the hidden test of cell test_double_more can be read in it"),
    ],
)
def test_a_copy_elsewhere_is_refused(course: Course, change: Callable[[NotebookNode], None], what: str) -> None:
    notebook = tiny_lab.tiny_notebook()
    change(notebook)
    tiny_lab.write(course.source(LAB) / f"{LAB}.ipynb", notebook)
    with pytest.raises(release.Refused) as caught:
        release.build(course, LAB)
    assert [(p.where, p.what) for p in caught.value.problems] == [("cell 12 of the release", f"{what}: take it out")]


def test_a_clean_source_has_no_problems() -> None:
    assert leaks.in_source(tiny_lab.tiny_notebook()) == []
