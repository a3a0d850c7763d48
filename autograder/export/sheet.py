"""Our own CSV: one row a student, one column an exercise, everything quoted as the csv module does it.

Everybody in the roster has a row; who handed in nothing, or is not graded yet, has no points in it, which is not zero.
Text that a spreadsheet would run as a formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from autograder.course import Course
from autograder.export.marks import Mark, marks
from autograder.intake import roster
from autograder.intake.roster import Student
from autograder.sheets import number

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def sheet(course: Course, labs: list[str], roster_file: Path | None = None) -> str:
    """The marks of one lab or several."""
    people = {student.id: student for student in roster.read(course, roster_file).students}
    by_lab = {lab: {mark.student: mark for mark in marks(course, lab)} for lab in labs}
    everybody = sorted(set(people).union(*by_lab.values()))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "last_name", "first_name", "email", *(c for lab in labs for c in _head(course, lab))])
    for name in everybody:
        student = people.get(name, Student(name))
        cells = [name, student.last or student.name, student.first, student.email]
        for lab in labs:
            cells += _cells(course, lab, by_lab[lab].get(name))
        writer.writerow(map(guarded, cells))
    return out.getvalue()


def _head(course: Course, lab: str) -> list[str]:
    exercises = [f"{lab}: {e.label} ({number(e.max_points)})" for e in course.lab(lab).exercises]
    rest = ("late penalty", "points", "maximum", "state", "received", "to look at")
    return [*exercises, *(f"{lab}: {name}" for name in rest)]


def _cells(course: Course, lab: str, mark: Mark | None) -> list[str]:
    about = course.lab(lab)
    if mark is None:
        return ["" for _ in about.exercises] + ["", "", number(about.max_points), "missing", "", ""]
    if mark.state == "failed":
        blank = ["" for _ in about.exercises]
        return [*blank, "", "", number(mark.max_points), "not graded", mark.received, mark.held]
    exercises = [number(mark.exercises[e.label]) for e in about.exercises]
    state = mark.held or mark.state
    rest = [number(mark.late_penalty), number(mark.points), number(mark.max_points), state, mark.received]
    return [*exercises, *rest, "; ".join(mark.flags)]


def guarded(text: str) -> str:
    """Text that no spreadsheet takes for a formula. Numbers stay numbers.

    >>> guarded("=1+1"), guarded("-2.5"), guarded("-x")
    ("'=1+1", '-2.5', "'-x")
    """
    if not text.startswith(_FORMULA) or text.removeprefix("-").replace(".", "", 1).isdecimal():
        return text
    return f"'{text}"
