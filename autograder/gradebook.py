"""nbgrader's gradebook: entering labs and submissions, and reading the marks of a class.

Points by the machine go into `auto_score`; what humans enter in formgrader (`manual_score`, extra credit, comments) is
never touched here, and wins over the machine's points as it does everywhere in nbgrader.

    with quiet():
        register(course, "01_tiny")                        # the lab's cells and maxima, from source/
        submission = Submission.of(course, "01_tiny", "ada")
        notebook, notes = submission.sanitise(notebook)    # ... run it ...
        submission.store(notebook)
        marks(course, "01_tiny")["ada"]["test_double"].points
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from traitlets.config import Config

from autograder.course import SANITISE_STEPS, STORE_STEPS, Course, UsageError, log, quiet

with quiet():
    from nbgrader.api import Grade as GradeRow
    from nbgrader.api import Gradebook
    from nbgrader.converters import Autograde


@dataclass(frozen=True)
class Mark:
    """What the gradebook says about one graded cell of one student."""

    points: float  # the human's if there are any, else the machine's; with extra credit
    auto: float | None
    manual: float | None
    max_points: float
    needs_human: bool


@dataclass(frozen=True)
class Marks:
    """What the gradebook says about one submission."""

    cells: dict[str, Mark]
    comments: dict[str, str]  # on answers, by humans
    late_penalty: float

    @property
    def points(self) -> float:
        """The points of the submission, a late penalty taken off."""
        return sum(mark.points for mark in self.cells.values()) - self.late_penalty


def book(course: Course) -> Gradebook:
    """nbgrader's gradebook, to be used in a `with` statement."""
    # To make a new database nbgrader runs `alembic`, which is beside our own Python and perhaps not on the path.
    path = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), path])
    try:
        return Gradebook(course.db_url, course.directory().course_id or "default_course")
    finally:
        os.environ["PATH"] = path


def register(course: Course, lab: str) -> None:
    """Enter the lab as it stands in source/ now: its cells, its points, its tests with the hidden ones."""
    from autograder.release import converter

    name = _changed_cells(course, lab)
    if name:
        raise UsageError(
            f"lab {lab}: {name}, but submissions of it are in the gradebook. Put the cell back, or remove "
            f"the lab's marks with `nbgrader db assignment remove {lab} --force` and grade again"
        )
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        converter(course, lab, into=Path(folder), database=True).start()


def _changed_cells(course: Course, lab: str) -> str:
    """Why nbgrader will refuse to enter this lab again, in words: cells were added or removed after grading."""
    from nbgrader.api import MissingEntry

    wanted = {name for e in course.lab(lab).exercises for name in (*e.answers, *e.points)}
    with book(course) as gb:
        try:
            notebook = gb.find_notebook(lab, lab)
        except MissingEntry:
            return ""
        if not notebook.submissions:
            return ""
        known = {cell.name for cell in (*notebook.grade_cells, *notebook.solution_cells)}
    changed = sorted(wanted ^ known)
    return f"cell {changed[0]!r} was {'added' if changed[0] in wanted else 'removed'}" if changed else ""


class Submission(Autograde):
    """nbgrader's Autograde for one submission, in steps that can run apart from each other.

    nbgrader's own loop over submissions swallows errors, stops at some of them and deletes what failed; here the
    caller sees the exception and decides.
    """

    @classmethod
    def of(cls, course: Course, lab: str, student: str) -> Submission:
        """The submission of a student; enters both in the gradebook if they are new."""
        ours = Config({"Autograde": {"sanitize_preprocessors": SANITISE_STEPS}})
        ours.merge(course.config)
        # The notebook has been run already when it is stored.
        ours.merge(Config({"Autograde": {"autograde_preprocessors": STORE_STEPS}}))
        submission = cls(coursedir=course.directory(lab, student), config=ours, log=log)
        submission.notebooks = [str(course.submitted(student, lab) / f"{lab}.ipynb")]
        submission.exporter = submission.exporter_class(parent=submission, config=submission.config)
        submission.run_pre_convert_hook()
        submission.init_assignment(lab, student)
        return submission

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """nbgrader's, without copying what else the submission holds: only the notebook counts."""
        ignore, self.coursedir.ignore = self.coursedir.ignore, ["*"]
        try:
            super().init_assignment(assignment_id, student_id)
        finally:
            self.coursedir.ignore = ignore

    def sanitise(self, notebook: NotebookNode) -> tuple[NotebookNode, list[str]]:
        """The notebook as it will be run, with the lab's own tests, and what was mended for that."""
        notebook, resources = self._steps(notebook, self.sanitize_preprocessors)
        return notebook, resources.get("autograder", {}).get("notes", [])

    def store(self, notebook: NotebookNode) -> NotebookNode:
        """Enter the points of an executed notebook."""
        notebook, _ = self._steps(notebook, self.autograde_preprocessors)
        self.run_post_convert_hook()
        return notebook

    def _steps(self, notebook: NotebookNode, steps: list[Any]) -> tuple[NotebookNode, dict[str, Any]]:
        self.exporter._preprocessors = []
        for step in steps:
            self.exporter.register_preprocessor(step)
        return self.exporter._preprocess(notebook, self.init_single_notebook_resources(self.notebooks[0]))  # type: ignore[no-any-return]


def enter_zero(course: Course, lab: str, student: str) -> None:
    """A submission that cannot be run: 0 points from the machine everywhere, a human's points stay."""
    with book(course) as gb:
        gb.update_or_create_student(student)
        gb.update_or_create_submission(lab, student)
        for grade in gb.find_submission_notebook(lab, lab, student).grades:
            grade.auto_score = 0.0
            grade.needs_manual_grade = grade.manual_score is not None
        gb.db.commit()


def entered(course: Course, lab: str) -> set[str]:
    """The students whose submission of this lab is in the gradebook."""
    with book(course) as gb:
        return {submission.student_id for submission in gb.assignment_submissions(lab)}


def marks(course: Course, lab: str) -> dict[str, Marks]:
    """The marks of everybody who submitted this lab."""
    from nbgrader.api import MissingEntry

    with quiet(), book(course) as gb:
        try:
            submissions = gb.notebook_submissions(lab, lab)
        except MissingEntry:
            return {}
        return {s.student.id: _marks(s) for s in submissions}


def _marks(submission: Any) -> Marks:
    cells = {grade.name: _mark(grade) for grade in submission.grades}
    comments = {c.name: c.manual_comment for c in submission.comments if c.manual_comment}
    return Marks(cells, comments, submission.late_submission_penalty or 0.0)


def _mark(grade: GradeRow) -> Mark:
    return Mark(grade.score, grade.auto_score, grade.manual_score, grade.max_score, grade.needs_manual_grade)
