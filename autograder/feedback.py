"""Feedback: one HTML file a student that explains every point, readable offline, on paper and by a screen reader.

It shows points, the failing checks' messages, the learner's own answer with the line that raised or waited, and what
was mended in the notebook. It never shows the code of tests, hidden or not, nor what a test cell printed: a learner's
function could print the hidden test from there.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder import notebooks
from autograder.course import Course
from autograder.pictures import timeline
from autograder.sheets import ExerciseSheet, Sheet, number, sheets


def environment() -> Environment:
    """The templates of this package; everything that comes from outside is escaped."""
    loader = FileSystemLoader(Path(__file__).parent / "templates", encoding="utf-8")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters["points"] = number
    made.filters["capitalize_first"] = lambda text: text[:1].upper() + text[1:]
    return made


def feedback(course: Course, lab: str) -> list[Path]:
    """Write the feedback of all graded students of a lab; the files, by student."""
    template = environment().get_template("feedback.html")
    written = []
    for sheet in sheets(course, lab):
        if sheet.result.status == "failed":
            continue
        folder = course.feedback(sheet.student, lab)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{lab}.html"
        path.write_text(template.render(page(course, sheet)), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def page(course: Course, sheet: Sheet) -> dict[str, object]:
    """What the template shows."""
    listings = _listings(course, sheet)
    return {
        "sheet": sheet,
        "waits_by_line": waits_by_line,
        "timeline": lambda trace: Markup(timeline(trace)),  # escapes what it shows
        "exercises": [(exercise, _shown(exercise, listings)) for exercise in sheet.exercises],
    }


def waits_by_line(trace: dict[str, Any]) -> list[tuple[dict[str, Any], int]]:
    """The learner's lines at which the host waited, and how often, the most frequent first."""
    placed = [wait for wait in trace["waits"] if wait.get("place")]
    by_line = {(w["place"]["cell"], w["place"]["line"], w["kind"]): w for w in reversed(placed)}
    count = Counter((w["place"]["cell"], w["place"]["line"], w["kind"]) for w in placed)
    return [(by_line[key], times) for key, times in count.most_common(5)]


def _listings(course: Course, sheet: Sheet) -> dict[str, list[str]]:
    """The learner's own answers, line by line, as they were run."""
    path = course.autograded(sheet.student, sheet.lab.name) / f"{sheet.lab.name}.ipynb"
    if not path.is_file():
        return {}
    answers = {name for exercise in sheet.lab.exercises for name in exercise.answers}
    cells = notebooks.read(path).cells
    return {name: cell.source.split("\n") for cell in cells if (name := notebooks.grade_id(cell)) and name in answers}


def _shown(exercise: ExerciseSheet, listings: dict[str, list[str]]) -> list[tuple[str, list[tuple[int, str, bool]]]]:
    """The answers of an exercise that lost points, with the lines that a message points to."""
    if exercise.points >= exercise.exercise.max_points:
        return []
    cells = [*exercise.answers, *(check.seen for check in exercise.checks)]
    marked = {(cell.place.cell, cell.place.line) for cell in cells if cell.place and (cell.message or cell.hidden)}
    return [
        (name, [(number, line, (name, number) in marked) for number, line in enumerate(listings[name], 1)])
        for name in exercise.exercise.answers
        if name in listings
    ]
