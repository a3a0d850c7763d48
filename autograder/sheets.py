"""A class's marks as people read them: one sheet a student, exercise by exercise.

Joins its sources: the lab (what there is to gain), `result.json` (what happened and why), the receipt of intake (what
was done to the file before) and the gradebook (the points that count, those of humans included). `feedback.py` and
`report.py` only show what stands here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder import results
from autograder.course import Course, quiet
from autograder.gradebook import Marks, marks
from autograder.intake import receipts
from autograder.labs import Exercise, Lab
from autograder.results import CellResult, Result


@dataclass
class Check:
    """A graded cell: what the machine saw, and the points that count."""

    seen: CellResult
    points: float
    max_points: float
    needs_human: bool
    by_human: bool

    @property
    def word(self) -> str:
        """The state in words: colour alone tells nothing to many readers."""
        if self.needs_human and not self.by_human:
            return "waits for a human"
        if self.points >= self.max_points:
            return "right"
        return "partly right" if self.points > 0 else "not yet"


@dataclass
class ExerciseSheet:
    """One exercise of one student."""

    exercise: Exercise
    answers: list[CellResult]
    checks: list[Check]
    comments: list[str]

    @property
    def points(self) -> float:
        """The points that count."""
        return sum(check.points for check in self.checks)

    @property
    def needs_human(self) -> bool:
        """Does a human still have to look at it?"""
        return any(check.needs_human and not check.by_human for check in self.checks)


@dataclass
class Sheet:
    """One submission."""

    student: str
    lab: Lab
    result: Result
    exercises: list[ExerciseSheet] = field(default_factory=list)
    late_penalty: float = 0.0

    @property
    def points(self) -> float:
        """The points that count, a late penalty taken off."""
        return sum(exercise.points for exercise in self.exercises) - self.late_penalty

    @property
    def needs_human(self) -> bool:
        """Does a human still have to look at it?"""
        return any(exercise.needs_human for exercise in self.exercises)


def number(value: float) -> str:
    """Points as people and an LMS read them: a point, two digits behind it at most, none that are zero.

    >>> number(2.0), number(1.999), number(0.125)
    ('2', '2', '0.12')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def sheets(course: Course, lab_name: str) -> list[Sheet]:
    """The sheets of all who handed in this lab, by student. Those that were never graded have status "failed"."""
    lab = course.lab(lab_name)
    with quiet():
        by_student = marks(course, lab_name)
    found = []
    for student in sorted(set(course.students(lab_name)) | set(by_student)):
        result = results.read(course.autograded(student, lab_name))
        if result is None:
            result = Result(student, lab_name, "failed", f"not graded yet: run `autograder grade {lab_name}`")
        receipt = receipts.read(course.submitted(student, lab_name))
        result.notes = list(dict.fromkeys([*(receipt.notes if receipt else []), *result.notes]))
        found.append(_sheet(lab, result, by_student.get(student)))
    return found


def _sheet(lab: Lab, result: Result, entered: Marks | None) -> Sheet:
    sheet = Sheet(result.student, lab, result, late_penalty=entered.late_penalty if entered else 0.0)
    seen = {cell.grade_id: cell for cell in result.cells}
    for exercise in lab.exercises:
        answers = [seen[name] for name in exercise.answers if name in seen and name not in exercise.points]
        checks = [_check(name, most, seen.get(name), entered) for name, most in exercise.points.items()]
        comments = [entered.comments[name] for name in exercise.answers if entered and name in entered.comments]
        sheet.exercises.append(ExerciseSheet(exercise, answers, checks, comments))
    return sheet


def _check(name: str, max_points: float, seen: CellResult | None, entered: Marks | None) -> Check:
    seen = seen or CellResult(name, "", "test", None, max_points, "not run", "not graded yet")
    mark = entered.cells.get(name) if entered else None
    if mark is None:
        return Check(seen, seen.points or 0.0, max_points, seen.points is None, by_human=False)
    return Check(seen, mark.points, max_points, mark.needs_human, by_human=mark.manual is not None)
