"""Nothing is lost and nothing counts twice: a grader killed at any moment, two at once, a full disk.

The grader is a forked process that a signal ends at a random moment, in the middle of a write as likely as not. Its
notebooks are run by a puppet with a fixed outcome, so that most of its time goes into what must not break.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest
import tiny_lab
from nbformat import NotebookNode, v4
from tiny_lab import LAB

from autograder import grade, gradebook, notebooks, release, results
from autograder.course import Course, UsageError, quiet
from autograder.kernels import CellRun, Runner

KILLS = 50
STUDENTS = [f"s{number:02}" for number in range(12)]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")


class Puppet(Runner):
    """Test cells pass or fail by what the answer says; partial credit too."""

    def run(self, notebook: NotebookNode, folder: Path, imports: object = None) -> list[CellRun]:
        answer = tiny_lab.cell(notebook, "double").source
        time.sleep(0.002)
        for cell in notebook.cells:
            name = notebooks.grade_id(cell)
            if name == "test_double" and "wrong" in answer:
                cell.outputs = [v4.new_output("error", ename="AssertionError", evalue="no", traceback=[])]
            if name == "test_count":
                cell.outputs = [v4.new_output("execute_result", data={"text/plain": f"{len(answer) % 3}"})]
        return []


def hand_in(course: Course) -> None:
    release.release(course, LAB)
    for number, student in enumerate(STUDENTS):
        notebook = notebooks.read(course.release(LAB) / f"{LAB}.ipynb")
        tiny_lab.cell(notebook, "double").source = f"def double(x): return 2 * x  # {'wrong' * (number % 2)}{number**3}"
        tiny_lab.write(course.submitted(student, LAB) / f"{LAB}.ipynb", notebook)
    broken = course.submitted("zoe", LAB) / f"{LAB}.ipynb"
    broken.parent.mkdir(parents=True)
    broken.write_text("{")


def state(course: Course) -> dict[str, Any]:
    """All that must be the same: the gradebook's points, and each result but its times."""
    with quiet():
        marks = gradebook.marks(course, LAB)
    found: dict[str, Any] = {}
    for student in [*STUDENTS, "zoe"]:
        result = results.read(course.autograded(student, LAB))
        assert result is not None, student
        result.seconds = 0.0
        found[student] = (marks[student], result, sorted(p.name for p in course.autograded(student, LAB).iterdir()))
    return found


def killed(course: Course, after_s: float) -> bool:
    """Grade in a process that is killed after some time; whether it had ended before."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            grade.grade(course, LAB, runner=Puppet(), workers=2)
            code = 0
        finally:
            os._exit(code)
    until = time.monotonic() + after_s
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            assert status == 0, "the grader broke by itself"
            return True
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


def enter_by_hand(course: Course) -> None:
    """A human's points and comment for one essay."""
    with quiet(), gradebook.book(course) as book:
        row = book.find_grade("essay", LAB, LAB, "s03")
        row.manual_score, row.needs_manual_grade = 2.5, False
        book.find_comment("essay", LAB, LAB, "s03").manual_comment = "well said"
        book.db.commit()


def forget_the_machines_points(course: Course) -> None:
    """The course as before the first grading, but for what a human entered: a write that is lost shows."""
    shutil.rmtree(course.root / "autograded")
    with quiet(), gradebook.book(course) as book:
        for grade_ in book.db.query(gradebook.GradeRow):
            grade_.auto_score = None
        book.db.commit()


def test_killed_at_random_moments_it_ends_as_undisturbed(course: Course) -> None:
    hand_in(course)
    grade.grade(course, LAB, runner=Puppet())
    enter_by_hand(course)
    forget_the_machines_points(course)
    begun = time.monotonic()
    grade.grade(course, LAB, runner=Puppet())
    whole_s = time.monotonic() - begun
    wanted = state(course)
    assert wanted["s03"][0].cells["essay"].manual == 2.5
    chance = random.Random(1)
    kills = 0
    while kills < KILLS:
        forget_the_machines_points(course)
        while not killed(course, chance.uniform(0, 1.2 * whole_s)):
            kills += 1
        assert state(course) == wanted


def test_a_second_grader_waits_its_turn(course: Course) -> None:
    hand_in(course)

    class Meanwhile(Puppet):
        said = ""

        def run(self, notebook: NotebookNode, folder: Path, imports: object = None) -> list[CellRun]:
            if not self.said:
                with pytest.raises(UsageError) as refused:
                    grade.grade(course, LAB, runner=Puppet())
                self.said = str(refused.value)
            return super().run(notebook, folder)

    runner = Meanwhile()
    assert {r.status for r in grade.grade(course, LAB, runner=runner)} == {"graded", "unreadable"}
    assert "another autograder is grading 01_tiny" in runner.said


@pytest.mark.parametrize("where", ["result", "gradebook"])
def test_a_full_disk_ends_the_run_with_what_was_saved(
    course: Course, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    hand_in(course)
    write, enter = results.write, gradebook.Writer.enter

    def full(folder: Path, result: results.Result) -> None:
        if result.student == "s05":
            raise OSError(errno.ENOSPC, "No space left on device")
        write(folder, result)

    def full_book(self: Any, student: str, *args: Any) -> None:
        if student == "s05":
            raise RuntimeError("(sqlite3.OperationalError) database or disk is full")
        enter(self, student, *args)

    with monkeypatch.context() as patch:
        patch.setattr(results, "write", full) if where == "result" else patch.setattr(
            gradebook.Writer, "enter", full_book
        )
        with pytest.raises(UsageError, match=r"the disk is full: s05 could not be saved.*run the same command again"):
            grade.grade(course, LAB, runner=Puppet())
    assert results.read(course.autograded("s04", LAB)) is not None
    assert results.read(course.autograded("s05", LAB)) is None
    assert len(grade.grade(course, LAB, runner=Puppet())) == len(STUDENTS) + 1
    assert state(course)
