"""A submission is made well-formed, whatever an editor did to it."""

from __future__ import annotations

import copy

import pytest
import tiny_lab
from nbformat import NotebookNode
from tiny_lab import LAB, cell

from autograder import notebooks, release
from autograder.repair import repair


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[NotebookNode, NotebookNode]:
    """(release, master) of the tiny lab."""
    course = tiny_lab.make_course(tmp_path_factory.mktemp("repair"))
    released = notebooks.parse(release.build(course, LAB)[f"{LAB}.ipynb"])
    return released, release.master(course.directory(LAB), LAB, LAB)


@pytest.fixture
def submission(pair: tuple[NotebookNode, NotebookNode]) -> NotebookNode:
    return copy.deepcopy(pair[0])


@pytest.fixture
def master(pair: tuple[NotebookNode, NotebookNode]) -> NotebookNode:
    return pair[1]


def names(notebook: NotebookNode) -> list[str | None]:
    return [notebooks.grade_id(c) for c in notebook.cells]


def test_an_honest_submission_is_left_alone(submission: NotebookNode, master: NotebookNode) -> None:
    mended, notes = repair(submission, master)
    assert notes == []
    assert [c.source for c in mended.cells] == [c.source for c in submission.cells]


def test_missing_cells_go_back_to_their_places(submission: NotebookNode, master: NotebookNode) -> None:
    order = names(submission)
    gone = {"setup", "test_double", "test_double_more", "essay"}
    submission.cells = [c for c in submission.cells if notebooks.grade_id(c) not in gone]
    mended, notes = repair(submission, master)
    assert [n for n in names(mended) if n] == [n for n in order if n]
    assert notes == ["missing and put back: setup, test_double, test_double_more, essay"]


def test_an_empty_notebook(submission: NotebookNode, master: NotebookNode) -> None:
    submission.cells = []
    mended, notes = repair(submission, master)
    assert names(mended) == ["setup", "test_double", "test_double_more", "test_count", "essay"]
    assert notes[1] == "missing answers: double, count"


def test_the_last_of_two_copies_counts(submission: NotebookNode, master: NotebookNode) -> None:
    again = copy.deepcopy(cell(submission, "double"))
    again.source = "the last one"
    submission.cells.append(again)
    mended, notes = repair(submission, master)
    assert cell(mended, "double").source == "the last one"
    assert names(mended).count("double") == 1
    assert notes == ["cell 'double' is there more than once: the last one counts"]


def test_forged_metadata_is_replaced(submission: NotebookNode, master: NotebookNode) -> None:
    test = cell(submission, "test_double")
    test.metadata.nbgrader |= {"points": 200, "solution": True, "locked": False, "schema_version": 1}
    test.metadata["tags"] = ["skip-execution"]
    mended, _ = repair(submission, master)
    assert cell(mended, "test_double").metadata == {
        "deletable": False,
        "editable": False,
        "nbgrader": cell(master, "test_double").metadata.nbgrader,
    }


def test_a_changed_cell_type_is_changed_back(submission: NotebookNode, master: NotebookNode) -> None:
    for name in ("double", "test_double"):
        changed = cell(submission, name)
        changed.cell_type = "markdown"
        del changed["outputs"], changed["execution_count"]
    mended, _ = repair(submission, master)
    assert cell(mended, "double").cell_type == "code"
    assert cell(mended, "test_double").outputs == []


def test_an_edited_test_is_noted_and_an_edited_answer_is_not(submission: NotebookNode, master: NotebookNode) -> None:
    cell(submission, "test_double").source = "pass"
    cell(submission, "test_double_more").source += "\n\n"  # white space is nobody's fault
    cell(submission, "double").source = "def double(x): return 2 * x"
    _, notes = repair(submission, master)
    assert notes == ["cell 'test_double' was edited: the lab's own text was used"]


def test_a_renamed_cell_is_found_again(submission: NotebookNode, master: NotebookNode) -> None:
    cell(submission, "test_count").metadata.nbgrader.grade_id = "zzz"
    mended, notes = repair(submission, master)
    assert names(mended) == names(master)
    assert notes == ["names were lost and found again: test_count (called zzz) by its id"]


def test_a_name_that_the_lab_does_not_have_is_dropped(submission: NotebookNode, master: NotebookNode) -> None:
    own = tiny_lab.code("print(1)", grade_id="mine", grade=True, points=100)
    submission.cells.insert(3, own)
    mended, notes = repair(submission, master)
    assert mended.cells[3].source == "print(1)"
    assert mended.cells[3].metadata == {}
    assert notes == ["cell 'mine' is not a cell of this lab: it is run, but not graded"]
