"""Which row of an LMS's file is which student, and filling their marks in.

A row is a student's by the number in the LMS (from the receipt of intake or the roster), by id, login, e-mail, and last
by name. What fits two students or two rows is filled in for nobody, and told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Course, UsageError
from autograder.export.marks import Mark
from autograder.export.table import Table
from autograder.intake import roster
from autograder.intake.roster import Clues, Roster, Student, Unknown
from autograder.sheets import number


@dataclass
class Filled:
    """What was done to a file. Each entry of the lists is a line for people."""

    table: Table
    column: str
    students: dict[str, str] = field(default_factory=dict)  # student -> what stands in the cell now
    unchanged: list[str] = field(default_factory=list)  # it stood there already
    held: list[str] = field(default_factory=list)  # not final yet
    kept: list[str] = field(default_factory=list)  # the LMS's own entry counts: excused, locked
    unmatched: list[str] = field(default_factory=list)  # have a mark, and no row is theirs
    unclear: list[str] = field(default_factory=list)  # rows that fit two students, or two rows for one
    rows: dict[str, int] = field(default_factory=dict)  # student -> row
    notes: list[str] = field(default_factory=list)

    @property
    def attention(self) -> bool:
        """Is there somebody whose mark did not get into the file?"""
        return bool(self.held or self.unmatched or self.unclear)


def people(course: Course, marks: list[Mark], lms: str, roster_file: Path | None = None) -> Roster:
    """All who may stand in a file: the roster, and everybody with a mark."""
    known = roster.read(course, roster_file).students
    with_marks = [Student(m.student, lms_id=lms_number(lms, m.lms.get(lms, "")), name=m.student) for m in marks]
    return Roster([*known, *with_marks], closed=True, where="the class")


def lms_number(lms: str, text: str) -> str:
    """The number that stands in the roster as ``lms_user_id``. Moodle's participants are counted anew in each
    assignment, so theirs must not be taken for one."""
    return f"participant {text}" if lms == "moodle" and text else text


def find_rows(rows: Iterable[tuple[int, Clues]], everybody: Roster, filled: Filled) -> dict[str, int]:
    """The row of each student."""
    found: dict[str, list[int]] = defaultdict(list)
    labels = {}
    for row, clues in rows:
        labels[row] = clues.label
        try:
            found[everybody.find(clues)].append(row)
        except Unknown as error:
            if " may be " in str(error):
                filled.unclear.append(str(error).partition(":")[0])
    for student, places in found.items():
        if len(places) > 1:
            filled.unclear.append(f"{student} may be {' or '.join(repr(labels[place]) for place in places)}")
    return {student: places[0] for student, places in found.items() if len(places) == 1}


def fill(
    filled: Filled,
    marks: list[Mark],
    column: int,
    worth: float | None,
    provisional: bool,
    may_change: Callable[[int], str],
    comma: bool = False,
) -> None:
    """Write marks into a column. `worth`: what the LMS counts the lab as. `may_change(row)`: why not, or ""."""
    for mark in marks:
        row = filled.rows.get(mark.student)
        if mark.held and (not provisional or mark.state == "failed"):
            filled.held.append(f"{mark.student} {mark.held}")
        elif row is None:
            filled.unmatched.append(mark.student)
        elif reason := may_change(row):
            filled.kept.append(f"{mark.student}: {reason}")
        else:
            points = mark.points * worth / mark.max_points if worth and mark.max_points else mark.points
            _write(filled, mark.student, row, column, number(points), comma)


def _write(filled: Filled, student: str, row: int, column: int, text: str, comma: bool) -> None:
    if _as_number(filled.table.rows[row][column]) == float(text):
        filled.unchanged.append(student)
    else:
        filled.table.set(row, column, text.replace(".", ",") if comma else text)
    filled.students[student] = filled.table.rows[row][column]


def _as_number(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def worth(stated: str, max_points: float, scale: bool, where: str) -> float | None:
    """What the LMS counts a lab as, if that differs and scaling is wanted; None: as it is. UsageError if it is not."""
    theirs = _as_number(stated)
    if theirs is None or theirs == max_points:
        return None
    if not scale:
        raise UsageError(
            f"the lab is worth {number(max_points)} points here and {number(theirs)} in {where}: "
            "change it there, or give --scale to convert"
        )
    return theirs
