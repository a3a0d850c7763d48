"""What happens to grades when something changes: a human's points, the submission, the lab, the grader's own faults.

No kernel runs here: `Puppet` puts outputs into cells as a kernel would.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tiny_lab
from nbformat import NotebookNode, v4
from tiny_lab import LAB

from autograder import grade, gradebook, notebooks, release, results
from autograder.course import Course, UsageError, quiet
from autograder.kernels import CellRun, Runner


class Puppet(Runner):
    """A runner for which every test passes, but for those named, which raise. `calls` counts notebooks."""

    def __init__(self, *fails: str) -> None:
        self.fails, self.calls = fails, 0

    def run(self, notebook: NotebookNode, folder: Path, imports: object = None) -> list[CellRun]:
        self.calls += 1
        for cell in notebook.cells:
            if notebooks.grade_id(cell) in self.fails:
                cell.outputs = [v4.new_output("error", ename="AssertionError", evalue="no", traceback=[])]
        return []


@pytest.fixture
def class_of_two(course: Course) -> Course:
    release.release(course, LAB)
    for student in ("amy", "zoe"):
        hand_in(course, student, "def double(x): return 2 * x")
    return course


def hand_in(course: Course, student: str, answer: str) -> None:
    notebook = notebooks.read(course.release(LAB) / f"{LAB}.ipynb")
    tiny_lab.cell(notebook, "double").source = answer
    tiny_lab.write(course.submitted(student, LAB) / f"{LAB}.ipynb", notebook)


def change_source(course: Course, change: Callable[[NotebookNode], object]) -> None:
    path = course.source(LAB) / f"{LAB}.ipynb"
    notebook = notebooks.read(path)
    change(notebook)
    tiny_lab.write(path, notebooks.canonical(notebook))


def points(course: Course, student: str) -> float:
    with quiet():
        return gradebook.marks(course, LAB)[student].points


def give(course: Course, student: str, cell: str, score: float) -> None:
    """What formgrader does when a human enters points."""
    with quiet(), gradebook.book(course) as gb:
        row = gb.find_grade(cell, LAB, LAB, student)
        row.manual_score, row.needs_manual_grade = score, False
        gb.db.commit()


def test_only_what_changed_is_graded_again(class_of_two: Course) -> None:
    runner = Puppet()
    grade.grade(class_of_two, LAB, runner=runner)
    assert runner.calls == 2
    grade.grade(class_of_two, LAB, runner=runner)
    assert runner.calls == 2
    hand_in(class_of_two, "zoe", "def double(x): return x + x")
    grade.grade(class_of_two, LAB, runner=runner)
    assert runner.calls == 3
    grade.grade(class_of_two, LAB, ["amy"], force=True, runner=runner)
    assert runner.calls == 4


def test_a_changed_lab_is_graded_again_with_its_new_points(class_of_two: Course) -> None:
    grade.grade(class_of_two, LAB, runner=Puppet())
    assert points(class_of_two, "amy") == 5

    def worth_more(notebook: NotebookNode) -> None:
        tiny_lab.cell(notebook, "test_double").metadata.nbgrader.points = 4

    change_source(class_of_two, worth_more)
    runner = Puppet()
    grade.grade(class_of_two, LAB, runner=runner)
    assert runner.calls == 2
    assert points(class_of_two, "amy") == 8


def test_a_humans_points_survive(class_of_two: Course) -> None:
    grade.grade(class_of_two, LAB, runner=Puppet())
    give(class_of_two, "amy", "essay", 2.5)
    give(class_of_two, "amy", "test_count", 1.5)
    grade.grade(class_of_two, LAB, force=True, runner=Puppet("test_count"))
    assert points(class_of_two, "amy") == 1 + 2 + 1.5 + 2.5
    with quiet():
        cells = gradebook.marks(class_of_two, LAB)["amy"].cells
    again = [name for name, mark in cells.items() if mark.needs_human]
    assert again == ["test_count", "essay"]  # nbgrader asks a human to look again at what was run again
    assert points(class_of_two, "zoe") == 1 + 2 + 0


def test_a_humans_points_survive_a_broken_file(class_of_two: Course) -> None:
    grade.grade(class_of_two, LAB, runner=Puppet())
    give(class_of_two, "amy", "essay", 3)
    (class_of_two.submitted("amy", LAB) / f"{LAB}.ipynb").write_text("junk", encoding="utf-8")
    found = grade.grade(class_of_two, LAB, runner=Puppet())
    assert [r.status for r in found] == ["unreadable", "graded"]
    assert points(class_of_two, "amy") == 3


def test_a_lost_gradebook_is_filled_again(class_of_two: Course) -> None:
    grade.grade(class_of_two, LAB, runner=Puppet())
    (class_of_two.root / "gradebook.db").unlink()
    grade.grade(class_of_two, LAB, runner=Puppet())
    assert points(class_of_two, "zoe") == 5


def test_a_grader_that_breaks_is_a_row_and_is_tried_again(class_of_two: Course) -> None:
    class Broken(Puppet):
        def run(self, notebook: NotebookNode, folder: Path, imports: object = None) -> list[CellRun]:
            if self.calls == 0:
                self.calls += 1
                raise RuntimeError("no kernel could be started")
            return super().run(notebook, folder)

    amy, zoe = grade.grade(class_of_two, LAB, runner=Broken())
    assert (amy.status, amy.reason) == ("failed", "RuntimeError: no kernel could be started")
    assert zoe.status == "graded"
    assert results.read(class_of_two.autograded("amy", LAB)) is None
    assert [r.status for r in grade.grade(class_of_two, LAB, runner=Puppet())] == ["graded", "graded"]


def test_a_removed_cell_is_named_once_there_are_grades(class_of_two: Course) -> None:
    grade.grade(class_of_two, LAB, runner=Puppet())
    change_source(class_of_two, lambda notebook: notebook.cells.remove(tiny_lab.cell(notebook, "test_count")))
    with pytest.raises(UsageError, match="cell 'test_count' was removed"):
        grade.grade(class_of_two, LAB, runner=Puppet())


def test_a_leaking_lab_is_not_graded(class_of_two: Course) -> None:
    change_source(class_of_two, lambda notebook: notebook.cells.append(v4.new_code_cell("### BEGIN SOLUTION\n1")))
    with pytest.raises(release.Refused, match="a solution outside an answer cell"):
        grade.grade(class_of_two, LAB, runner=Puppet())


def test_wrong_names(class_of_two: Course) -> None:
    with pytest.raises(UsageError, match="no submission of 01_tiny by 'bob'; there are: amy, zoe"):
        grade.grade(class_of_two, LAB, ["bob"], runner=Puppet())
    with pytest.raises(UsageError, match="no lab '02_x' in .*source; labs there: 01_tiny"):
        grade.grade(class_of_two, "02_x", runner=Puppet())


def test_another_file_name_is_graded_and_noted(class_of_two: Course) -> None:
    folder = class_of_two.submitted("amy", LAB)
    (folder / f"{LAB}.ipynb").rename(folder / f"{LAB} (1).ipynb")
    (amy, _) = grade.grade(class_of_two, LAB, runner=Puppet())
    assert (amy.status, amy.points) == ("graded", 5)
    assert amy.notes == ["the notebook was called '01_tiny (1).ipynb'"]


def test_files_that_are_not_read(class_of_two: Course) -> None:
    amy, zoe = (class_of_two.submitted(s, LAB) / f"{LAB}.ipynb" for s in ("amy", "zoe"))
    amy.unlink()
    zoe.rename(class_of_two.root / "elsewhere.ipynb")
    zoe.symlink_to(class_of_two.root / "elsewhere.ipynb")
    found = grade.grade(class_of_two, LAB, runner=Puppet())
    assert [(r.status, r.reason) for r in found] == [
        ("missing", "no notebook 01_tiny.ipynb was handed in"),
        ("unreadable", "01_tiny.ipynb is not a plain file"),
    ]
