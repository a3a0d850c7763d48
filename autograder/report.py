"""The class at a glance: who has how many points, which exercise went how well, and what a human should look at.

    print(terminal(course, "01_tiny"))
    html(course, "01_tiny")           one self-contained page
    csv_text(course, "01_tiny")       one row a student, one column a graded cell
    as_json(course, "01_tiny")        the same for machines
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

from autograder.course import Course
from autograder.feedback import environment
from autograder.labs import Exercise
from autograder.mistakes import Mistake, commonest
from autograder.pictures import histogram
from autograder.progress import duration
from autograder.sheets import Sheet, number, sheets


@dataclass(frozen=True)
class Success:
    """How a class did on one exercise."""

    exercise: Exercise
    full: int  # students with all points
    partly: int
    none: int
    waiting: int  # for a human; not counted in the others
    rate: float | None  # mean of points over maximum, 0..1; None while all are waiting

    @property
    def percent(self) -> str:
        """The rate as text."""
        return "waits" if self.rate is None else f"{100 * self.rate:.0f} %"


def success(found: list[Sheet]) -> list[Success]:
    """The success of each exercise over all graded submissions."""
    graded = [sheet for sheet in found if sheet.result.status != "failed"]
    rows = []
    for index, exercise in enumerate(graded[0].lab.exercises if graded else []):
        points = [s.exercises[index].points for s in graded if not s.exercises[index].needs_human]
        full = sum(p >= exercise.max_points for p in points)
        none = sum(p <= 0 for p in points)
        rate = sum(points) / (len(points) * exercise.max_points) if points else None
        waiting = len(graded) - len(points)
        rows.append(Success(exercise, full, len(points) - full - none, none, waiting, rate))
    return rows


def flags(sheet: Sheet) -> list[str]:
    """Why a human should look at a submission."""
    waiting = [exercise.exercise.task.number for exercise in sheet.exercises if exercise.needs_human]
    return sheet.result.flags + ([f"to be graded by hand: task {', '.join(waiting)}"] if waiting else [])


def terminal(course: Course, lab: str, found: list[Sheet] | None = None) -> str:
    """The report as text."""
    found = sheets(course, lab) if found is None else found
    if not found:
        return f"{lab}: no submissions in {course.submitted('<student>', lab)}"
    exercises = found[0].lab.exercises
    head = ["student", "points", *(f"task {e.task.number}" for e in exercises), "state"]
    rows = [[s.student, number(s.points), *(_cell(e) for e in s.exercises), s.result.status] for s in found]
    parts = [f"{lab}: {len(found)} submissions, {number(found[0].lab.max_points)} points", table([head, *rows])]
    names = ["exercise", "all points", "some", "none", "waiting", "mean"]
    parts.append(table([names, *([s.exercise.label, *_success_row(s)] for s in success(found))]))
    if wrong := mistakes(found):
        rows = [[str(len(m.students)), m.task, m.what] for m in wrong]
        parts.append("The commonest mistakes:\n" + table([["students", "task", "what"], *rows]))
    parts.append(time_used(found))
    flagged = [[sheet.student, flag] for sheet in found for flag in flags(sheet)]
    if flagged:
        parts.append("To look at:\n" + table(flagged))
    return "\n\n".join(parts)


def mistakes(found: list[Sheet]) -> list[Mistake]:
    """What went wrong for more than one student."""
    return commonest(sheet.result for sheet in found)


def time_used(found: list[Sheet]) -> str:
    """How long grading took, and what was slowest, in words."""
    graded = [sheet.result for sheet in found if sheet.result.status == "graded"]
    if not graded:
        return "no submission was run"
    slowest = max(graded, key=lambda result: result.seconds)
    total = sum(result.seconds for result in graded)
    return (
        f"time used: {duration(total)} for {len(graded)} notebooks, {total / len(graded):.1f} s each; "
        f"the slowest was {slowest.student}'s with {slowest.seconds:.1f} s"
    )


def _cell(exercise: Any) -> str:
    return number(exercise.points) + ("?" if exercise.needs_human else "")


def _success_row(row: Success) -> list[str]:
    return [str(row.full), str(row.partly), str(row.none), str(row.waiting), row.percent]


def table(rows: list[list[str]]) -> str:
    """Columns in line; numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    right = [all(_is_number(row[i]) for row in rows[1:]) and len(rows) > 1 for i in range(len(widths))]
    lines = []
    for row in rows:
        fields = [text.rjust(w) if r else text.ljust(w) for text, w, r in zip(row, widths, right, strict=True)]
        lines.append("  ".join(fields).rstrip())
    return "\n".join(lines)


def _is_number(text: str) -> bool:
    return text == "waits" or text.rstrip("?% ").replace(".", "", 1).replace("-", "", 1).isdigit()


def html(course: Course, lab: str) -> str:
    """The report as one page that needs nothing else."""
    found = sheets(course, lab)
    template = environment().get_template("report.html")
    flagged = [(sheet.student, flags(sheet)) for sheet in found if flags(sheet)]
    points = [sheet.points for sheet in found if sheet.result.status != "failed"]
    return template.render(
        name=lab,
        lab=course.lab(lab),
        sheets=found,
        success=success(found),
        flagged=flagged,
        distribution=histogram(points, course.lab(lab).max_points),
        mistakes=mistakes(found),
        time_used=time_used(found),
    )


def csv_text(course: Course, lab: str) -> str:
    """The report as CSV. Text that a spreadsheet would take for a formula is defused."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    cells = list(course.lab(lab).points)
    writer.writerow(["student", "points", "max_points", *cells, "late_penalty", "state", "flags"])
    for sheet in sheets(course, lab):
        by_cell = {check.seen.grade_id: check.points for exercise in sheet.exercises for check in exercise.checks}
        row = [sheet.student, sheet.points, sheet.lab.max_points, *(by_cell[cell] for cell in cells)]
        writer.writerow(map(_defused, [*row, sheet.late_penalty, sheet.result.status, "; ".join(flags(sheet))]))
    return out.getvalue()


def _defused(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def as_json(course: Course, lab: str) -> dict[str, Any]:
    """The report for machines."""
    found = sheets(course, lab)
    return {
        "lab": lab,
        "max_points": course.lab(lab).max_points,
        "students": [_student(sheet) for sheet in found],
        "exercises": [
            {"task": s.exercise.task.number, "label": s.exercise.label, "max_points": s.exercise.max_points}
            | {"full": s.full, "partly": s.partly, "none": s.none, "waiting": s.waiting, "rate": s.rate}
            for s in success(found)
        ],
        "mistakes": [{"task": m.task, "what": m.what, "students": list(m.students)} for m in mistakes(found)],
    }


def _student(sheet: Sheet) -> dict[str, Any]:
    cells = {check.seen.grade_id: check.points for exercise in sheet.exercises for check in exercise.checks}
    about = {"student": sheet.student, "points": sheet.points, "state": sheet.result.status}
    return about | {"cells": cells, "flags": flags(sheet)}
