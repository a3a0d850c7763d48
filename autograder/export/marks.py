"""What each student gets for a lab, and who has to wait for it.

Points are the gradebook's: a human's before the machine's, a late penalty taken off. They are not final while a human
has still to read an answer, or while the submission could not be graded; such a mark is held back unless it is asked
for. A student without a submission has no mark, which is not the same as zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.course import Course
from autograder.intake import receipts
from autograder.report import flags
from autograder.sheets import Sheet, sheets


@dataclass(frozen=True)
class Mark:
    """One student's mark for one lab. `held`: why it is not final, "" if it is."""

    student: str
    points: float
    max_points: float
    held: str = ""
    exercises: dict[str, float] = field(default_factory=dict)  # label -> points
    late_penalty: float = 0.0
    state: str = "graded"
    flags: list[str] = field(default_factory=list)
    received: str = ""
    lms: dict[str, str] = field(default_factory=dict)  # numbers in the LMS, from the receipt


def marks(course: Course, lab: str) -> list[Mark]:
    """The marks of everybody who handed in a lab."""
    return [_mark(course, sheet) for sheet in sheets(course, lab)]


def _mark(course: Course, sheet: Sheet) -> Mark:
    receipt = receipts.read(course.submitted(sheet.student, sheet.lab.name))
    held = "waits for a human" if sheet.needs_human else ""
    if sheet.result.status == "failed":
        held = f"has no mark: {sheet.result.reason}"
    return Mark(
        sheet.student,
        max(0.0, sheet.points),
        sheet.lab.max_points,
        held,
        {exercise.exercise.label: exercise.points for exercise in sheet.exercises},
        sheet.late_penalty,
        sheet.result.status,
        flags(sheet),
        receipt.received if receipt else "",
        receipt.lms if receipt else {},
    )
