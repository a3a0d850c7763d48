"""nbgrader's gradebook: entering labs and submissions, and reading the marks of a class.

Points by the machine go into `auto_score`; what humans enter in formgrader (`manual_score`, extra credit, comments) is
never touched here, and wins over the machine's points as it does everywhere in nbgrader.

    with quiet():
        register(course, "01_tiny")                        # the lab's cells and maxima, from source/
        with Writer(course, "01_tiny") as writer:
            writer.enter("ada", {"test_double": Score(1, 1)}, untouched=set())
        marks(course, "01_tiny")["ada"]["test_double"].points
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course import Course, UsageError, log, quiet
from autograder.scores import Score

with quiet():
    from nbgrader.api import (
        Comment,
        Gradebook,
        Student,
        SubmittedAssignment,
        SubmittedNotebook,
    )
    from nbgrader.api import Grade as GradeRow


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


class Writer:
    """The one that writes points: a session with the gradebook, one transaction a submission.

    Used in a `with` statement. What nbgrader's converters do in a dozen transactions is done here in one: a grader
    that is killed leaves a submission entered whole or not at all.
    """

    def __init__(self, course: Course, lab: str) -> None:
        self._course, self._lab = course, lab
        self._book = book(course)
        self._penalty = _Penalty(course)
        assignment = self._book.find_assignment(lab)
        self._assignment_id = assignment.id
        self._notebooks = [_Cells.of(notebook) for notebook in assignment.notebooks]
        self._book.db.expunge_all()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *error: object) -> None:
        self._book.close()

    def enter(
        self,
        student: str,
        scores: dict[str, Score],
        untouched: Collection[str] | None = None,
        doubted: Collection[str] = (),
    ) -> None:
        """Enter a submission's points by graded cell, which answers nobody touched, and which points are in doubt.

        `untouched` None: there was no notebook to run; all the machine's points are 0 and no answer waits. What humans
        entered stays, and is put before them again.
        """
        session = self._book.db
        try:
            with session.no_autoflush:
                submission = self._submission(student)
                for cells in self._notebooks:
                    self._points(self._notebook(submission, cells), cells, scores, untouched, doubted)
            session.flush()
            self._penalty.apply(submission)
            session.commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.expunge_all()  # a human may enter points meanwhile: the next look is a fresh one

    def _points(
        self,
        notebook: str,
        cells: _Cells,
        scores: dict[str, Score],
        untouched: Collection[str] | None,
        doubted: Collection[str],
    ) -> None:
        for grade in self._book.db.query(GradeRow).filter(GradeRow.notebook_id == notebook):
            name, max_points = cells.graded[grade.cell_id]
            score = scores.get(name, Score(0.0, max_points))
            grade.auto_score = score.points
            by_human = grade.manual_score is not None or score.points is None
            grade.needs_manual_grade = by_human or bool(score.fault) or name in doubted
        for comment in self._book.db.query(Comment).filter(Comment.notebook_id == notebook):
            nothing = untouched is None or cells.answered[comment.cell_id] in untouched
            comment.auto_comment = "No response." if nothing else None

    def _submission(self, student: str) -> Any:
        """The submission's row, made if it is new; with the time of the receipt."""
        session = self._book.db
        if session.get(Student, student) is None:
            session.add(Student(id=student))
        found = (
            session.query(SubmittedAssignment)
            .filter(
                SubmittedAssignment.assignment_id == self._assignment_id, SubmittedAssignment.student_id == student
            )
            .one_or_none()
        )
        if found is None:
            found = SubmittedAssignment(assignment_id=self._assignment_id, student_id=student)
            session.add(found)
            session.flush()
        if when := _received(self._course, self._lab, student):
            found.timestamp = when
        return found

    def _notebook(self, submission: Any, cells: _Cells) -> str:
        """The id of the submission's notebook, whose rows are made if it is new."""
        session = self._book.db
        known = (
            session.query(SubmittedNotebook.id)
            .filter(SubmittedNotebook.assignment_id == submission.id, SubmittedNotebook.notebook_id == cells.notebook)
            .scalar()
        )
        if known is not None:
            return str(known)
        made = SubmittedNotebook(notebook_id=cells.notebook, assignment_id=submission.id)
        session.add(made)
        session.flush()
        session.add_all(GradeRow(cell_id=cell, notebook_id=made.id) for cell in cells.graded)
        session.add_all(Comment(cell_id=cell, notebook_id=made.id) for cell in cells.answered)
        session.flush()
        return str(made.id)


@dataclass(frozen=True)
class _Cells:
    """A notebook of the lab in the gradebook: its graded cells with their maximum, its answers, all by row id."""

    notebook: str
    graded: dict[str, tuple[str, float]]
    answered: dict[str, str]

    @classmethod
    def of(cls, notebook: Any) -> _Cells:
        graded = {c.id: (c.name, float(c.max_score)) for c in (*notebook.grade_cells, *notebook.task_cells)}
        answered = {c.id: c.name for c in (*notebook.solution_cells, *notebook.task_cells)}
        return cls(notebook.id, graded, answered)


class _Penalty:
    """The course's own plugin for late submissions, asked as nbgrader asks it."""

    def __init__(self, course: Course) -> None:
        from nbgrader.preprocessors import AssignLatePenalties

        self._step = AssignLatePenalties(config=course.config, log=log)
        self._step.init_plugin()

    def apply(self, submission: Any) -> None:
        if submission.timestamp is None:
            return  # nobody knows when it came in
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = None
            late_s = submission.total_seconds_late
            if late_s > 0:
                asked = self._step.plugin_inst.late_submission_penalty(submission.student_id, notebook.score, late_s)
                if asked is not None:
                    notebook.late_submission_penalty = self._step._check_late_penalty(notebook, asked)


def _received(course: Course, lab: str, student: str) -> Any:
    """When the submission came in, by `timestamp.txt`, which whoever collected it wrote."""
    folder = course.submitted(student, lab)
    if not (folder / "timestamp.txt").is_file():
        return None
    return course.directory(lab, student).get_existing_timestamp(str(folder))


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
