"""Fills marks into a gradebook that Canvas exported, for importing it again.

The column of the lab is ``Title (id)``. Only its cells change; everything else stays byte for byte, so that the import
changes nothing else. With `only`, other assignments are left out instead: then grades that were given in Canvas since
the export cannot be turned back.

Sources: Canvas's lib/gradebook_importer.rb and lib/gradebook_exporter.rb.
"""

from __future__ import annotations

import re

from autograder.course import UsageError
from autograder.export.marks import Mark
from autograder.export.people import Filled, fill, find_rows, worth
from autograder.export.table import Table
from autograder.intake.roster import Clues, Roster, slug

_ASSIGNMENT = re.compile(r"^(?P<title>.*)\s\((?P<id>\d+)\)$")
_IGNORED = re.compile(r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
_POINTS = "Points Possible"


def canvas(
    data: bytes,
    lab: str,
    marks: list[Mark],
    everybody: Roster,
    *,
    column: str | None = None,
    scale: bool = False,
    provisional: bool = False,
    only: bool = False,
) -> Filled:
    """The gradebook with the marks of a lab. UsageError if the file is none, or if no column is the lab's."""
    table = Table.parse(data)
    head = table.rows[0] if table.rows else []
    if len(head) < 3 or "Student" not in head[0] or "ID" not in head[1]:
        raise UsageError("this is not a gradebook exported from Canvas: it does not begin with Student,ID")
    place = _column(head, lab, column)
    filled = Filled(table, head[place])
    points_row = next((i for i, row in enumerate(table.rows) if row and _POINTS in row[0]), None)
    stated = table.rows[points_row][place] if points_row is not None and len(table.rows[points_row]) > place else ""
    if "read only" in stated:
        raise UsageError(f"{head[place]!r} is read only in Canvas")
    value = worth(stated, marks[0].max_points if marks else 0.0, scale, "Canvas") if marks else None
    filled.rows = find_rows(_people(table, points_row, place), everybody, filled)
    fill(filled, marks, place, value, provisional, lambda row: _own_entry(table.rows[row][place]))
    if only:
        last_info = max((i for i, name in enumerate(head[: place + 1]) if "Section" in name), default=1)
        rows = [0, *([points_row] if points_row is not None else []), *sorted(filled.rows[s] for s in filled.students)]
        filled.table = table.picked(rows, [*range(last_info + 1), place])
    return filled


def _column(head: list[str], lab: str, wanted: str | None) -> int:
    found = {i: m for i, name in enumerate(head) if (m := _ASSIGNMENT.match(name)) and not _IGNORED.search(name)}
    if wanted is not None:
        hits = [i for i, m in found.items() if wanted in (m.group(0), m["title"], m["id"])]
    else:
        name = slug(re.sub(r"^\d+[_-]", "", lab))
        hits = [i for i, m in found.items() if slug(lab) == slug(m["title"]) or name in slug(m["title"])]
    if len(hits) != 1:
        there = ", ".join(repr(m.group(0)) for m in found.values()) or "none"
        what = f"{wanted!r}" if wanted is not None else f"the lab {lab}"
        raise UsageError(f"{len(hits)} columns are {what}: give --column. Assignments in the file: {there}")
    return hits[0]


def _people(table: Table, points_row: int | None, place: int) -> list[tuple[int, Clues]]:
    head = table.rows[0]
    columns = {name: i for i, name in enumerate(head)}
    made = []
    for index, row in enumerate(table.rows):
        if index in (0, points_row) or len(row) <= place or not row[0].strip() or not row[1].strip():
            continue
        ids = [row[columns[c]] for c in ("SIS Login ID", "SIS User ID", "Integration ID") if c in columns]
        ids = [text.strip() for text in ids if text.strip()]
        made.append((index, Clues(row[0].strip(), tuple(ids), (row[1].strip(), *ids), (), (row[0].strip(),))))
    return made


def _own_entry(text: str) -> str:
    """What only Canvas may change."""
    if text.strip().upper() == "EX":
        return "is excused in Canvas"
    return "is not assigned the lab in Canvas" if text.strip().upper() == "N/A" else ""
