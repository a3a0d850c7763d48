"""Fills marks into a grading worksheet that Moodle wrote ("Download grading worksheet"), for uploading it again.

Only the cells of grades (and, if asked for, of feedback comments that are empty) change; the header, the order and the
dates stay byte for byte, as Moodle compares them. Labels are those of the language in which it was downloaded: if that
is not English, say which column holds the grades.

Sources: Moodle's mod/assign/feedback/offline/importgradeslib.php and mod/assign/gradingtable.php.
"""

from __future__ import annotations

import re

from autograder.course import UsageError
from autograder.export.marks import Mark
from autograder.export.people import Filled, fill, find_rows, lms_number, worth
from autograder.export.table import Table
from autograder.intake.roster import Clues, Roster
from autograder.sheets import number

_GRADE, _MAXIMUM, _CAN_CHANGE, _COMMENTS = "Grade", "Maximum Grade", "Grade can be changed", "Feedback comments"
_PARTICIPANT = re.compile(r"^\D*(\d+)\s*$")


def moodle(
    data: bytes,
    marks: list[Mark],
    everybody: Roster,
    *,
    column: str | None = None,
    scale: bool = False,
    provisional: bool = False,
    comments: bool = False,
) -> Filled:
    """The worksheet with the marks of a lab. UsageError if the file is none."""
    table = Table.parse(data)
    head = [name.strip() for name in table.rows[0]] if table.rows else []
    place = _grades(head, column or _GRADE)
    filled = Filled(table, head[place])
    maximum = _index(head, _MAXIMUM)
    stated = [row[maximum] for row in table.rows[1:] if maximum is not None and len(row) > maximum and row[maximum]]
    value = worth(stated[0], marks[0].max_points, scale, "Moodle") if stated and marks else None
    filled.rows = find_rows(_people(table, place), everybody, filled)
    can_change = _index(head, _CAN_CHANGE)
    fill(filled, marks, place, value, provisional, lambda row: _locked(table.rows[row], can_change), _comma(table))
    if comments:
        _add_comments(filled, marks, _index(head, _COMMENTS))
    return filled


def _grades(head: list[str], wanted: str) -> int:
    first = head[0] if head else ""
    if len(head) < 3:
        raise UsageError("this is not a grading worksheet from Moodle: it has fewer than three columns")
    if (place := _index(head, wanted)) is None:
        raise UsageError(f"no column is called {wanted!r}: give --column. Columns: {', '.join(map(repr, head))}")
    if place == 0:
        raise UsageError(f"{first!r} is the column of names, not of grades")
    return place


def _index(head: list[str], name: str) -> int | None:
    return head.index(name) if name in head else None


def _people(table: Table, place: int) -> list[tuple[int, Clues]]:
    """Everything before the grades that may tell who it is: the participant's number, a name, an e-mail, an id."""
    made = []
    for index, row in enumerate(table.rows[1:], 1):
        if len(row) <= place or not row[0].strip():
            continue
        number_ = _PARTICIPANT.match(row[0])
        texts = [text.strip() for text in row[1:place] if text.strip()]
        emails = tuple(text for text in texts if "@" in text)
        plain = tuple(text for text in texts if "@" not in text)
        label = texts[0] if texts else row[0].strip()
        blind = (re.sub(r"\s+", "", row[0]),)  # "Participant 12": the id that intake gives where names are hidden
        numbers = (lms_number("moodle", number_.group(1)),) if number_ else ()
        made.append((index, Clues(label, plain + blind, numbers + plain, emails, plain)))
    return made


def _locked(row: list[str], can_change: int | None) -> str:
    locked = can_change is not None and len(row) > can_change and row[can_change].strip().casefold() == "no"
    return "the grade is locked in Moodle" if locked else ""


def _comma(table: Table) -> bool:
    """Does this worksheet write 2,50 for two and a half?"""
    cells = [cell for row in table.rows[1:] for cell in row]
    return any(re.fullmatch(r"\d+,\d+", c) for c in cells) and not any(re.fullmatch(r"\d+\.\d+", c) for c in cells)


def _add_comments(filled: Filled, marks: list[Mark], place: int | None) -> None:
    if place is None:
        filled.notes.append(f"no column is called {_COMMENTS!r}: no comments were written")
        return
    for mark in marks:
        row = filled.rows.get(mark.student)
        if mark.student in filled.students and row is not None and len(filled.table.rows[row]) > place:
            if not filled.table.rows[row][place].strip():
                filled.table.set(row, place, comment(mark))


def comment(mark: Mark) -> str:
    """One line on where the points are."""
    parts = [f"{label}: {number(points)}" for label, points in mark.exercises.items()]
    return f"{number(mark.points)} of {number(mark.max_points)} points. " + "; ".join(parts)
