"""From an executed notebook to what a learner is told about it.

For every answer, test and essay: points, and if points were lost why and where. The message is the failing check's
own; hidden tests are never quoted, neither their code nor a message that repeats a line of it. The place is the
innermost line of the learner's own code in the traceback.

What it does not: decide points (`scores.py`) or know about waits and copies; the checks' messages do.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from nbformat import NotebookNode

from autograder import labs, scores
from autograder.kernels import DIED, NOT_RUN, TIMEOUT, CellRun
from autograder.labs import Lab
from autograder.notebooks import grade_id
from autograder.results import CellResult, Place

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_FRAME = re.compile(r"Cell In\[(\d+)\], line (\d+)")
_TOLD = re.compile(r"cell In\[(\d+)\](?:, line (\d+))?", re.IGNORECASE)  # a place in a check's own message
_FILE = re.compile(r" \(\d+\.py, line \d+\)")  # the kernel's name for a cell, in a SyntaxError
_MAX_MESSAGE = 2000  # characters
_STATUS = {TIMEOUT: "timeout", DIED: "died", NOT_RUN: "not run"}
_OWN_WORDS = set(_STATUS)


def explain(lab: Lab, executed: NotebookNode, runs: list[CellRun]) -> list[CellResult]:
    """One result for each answer, test and essay of the lab, in the lab's order."""
    cells = {name: cell for cell in executed.cells if (name := grade_id(cell))}
    run_of = {id(executed.cells[run.cell]): run for run in runs}
    explained = []
    for exercise in lab.exercises:
        for name in dict.fromkeys([*exercise.answers, *exercise.points]):
            cell = cells.get(name)
            result = _one(lab, name, cell, executed)
            result.task = exercise.task.number
            if run := run_of.get(id(cell)):
                result.seconds = run.seconds
                if result.points is not None and result.points < result.max_points:
                    result.traces = [_placed(trace, executed) for trace in run.traces]
            explained.append(result)
    return explained


def _one(lab: Lab, name: str, cell: NotebookNode | None, executed: NotebookNode) -> CellResult:
    kind = labs.kind(lab.cell(name))
    result = CellResult(name, "", kind)
    if cell is None:
        result.status, result.message = "missing", "this cell is missing from the notebook"
        return result
    if kind != "answer":
        score = scores.score(cell)
        result.points, result.max_points, result.fault = score.points, score.max_points, score.fault
        if kind == "essay" and score.points == 0:
            result.message = "no answer yet"
    if (error := scores.error(cell)) is not None:
        _add_error(result, lab, error, executed)
    elif result.fault:
        result.message = "the test itself is at fault, not your answer: a human will look at it"
    elif kind == "test" and result.points is not None and result.points < result.max_points:
        result.message = f"partly right: {result.points:g} of {result.max_points:g} points"
    return result


def _add_error(result: CellResult, lab: Lab, error: NotebookNode, executed: NotebookNode) -> None:
    result.status = _STATUS.get(error.ename, "error")
    frames = _frames(error, executed)
    told = [(cell, int(line or 0)) for cell, line in _cells_of(_TOLD.findall(error.evalue), executed)]
    result.place = _learners_line(frames) or _learners_line(told[::-1])  # a check names the worst line first
    if error.ename == "NotImplementedError" and "your code goes here" in error.evalue:
        result.message = "no answer yet: " + _cut(error.evalue.split(":")[0])
        return
    if result.kind != "test":
        result.message = _plain(error)
        return
    source = lab.cell(result.grade_id).source
    line = max((number for cell, number in frames if grade_id(cell) == result.grade_id), default=0)
    result.hidden = line in labs.hidden_lines(source)
    message = _TOLD.sub(lambda found: _renamed(found, executed), _plain(error))
    result.message = _test_message(message, source, line, result.hidden)


def _test_message(message: str, source: str, line: int, hidden: bool) -> str:
    message, removed = _without_hidden(message, source)
    if removed > 2:  # a check quotes a line or two, where the host waited; more is a learner's code that read the cell
        return "a check that is not shown failed; its message is withheld because it repeats the check"
    if hidden:
        return "a check that is not shown failed" + (f": {message}" if message else "")
    if message:
        return message
    lines = source.split("\n")
    return f"this check failed: {lines[line - 1].strip()}" if 0 < line <= len(lines) else "a check failed"


def _plain(error: NotebookNode) -> str:
    """The error's own words; an AssertionError's name adds nothing to them."""
    words = _cut(_FILE.sub("", _ANSI.sub("", error.evalue)).strip())
    if error.ename == "AssertionError" or error.ename in _OWN_WORDS:
        return words
    return f"{error.ename}: {words}" if words else error.ename


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_MESSAGE else text[:_MAX_MESSAGE] + " ..."


def _without_hidden(message: str, source: str) -> tuple[str, int]:
    """The message without lines of the hidden tests, and how many were taken out."""
    lines = source.split("\n")
    hidden = {line for number in labs.hidden_lines(source) if len(line := lines[number - 1].strip()) >= 12}
    found = [line for line in sorted(hidden, key=len, reverse=True) if line in message]
    for line in found:
        message = message.replace(line, "(a line that is not shown)")
    return message, len(found)


def _frames(error: NotebookNode, executed: NotebookNode) -> list[tuple[NotebookNode, int]]:
    """The cells and lines of a traceback, outermost first."""
    text = _ANSI.sub("", "\n".join(error.traceback))
    return [(cell, int(line)) for cell, line in _cells_of(_FRAME.findall(text), executed)]


def _cells_of(places: list[tuple[str, str]], executed: NotebookNode) -> list[tuple[NotebookNode, str]]:
    """(execution count, line) to (cell, line); what is no cell of this notebook is left out."""
    by_count = {str(cell.execution_count): cell for cell in executed.cells if cell.cell_type == "code"}
    return [(by_count[count], line) for count, line in places if count in by_count]


def _renamed(found: re.Match[str], executed: NotebookNode) -> str:
    """"cell In[7], line 3" counts our cells, not the learner's: say the cell's name."""
    cells = _cells_of([(found.group(1), "")], executed)
    name = grade_id(cells[0][0]) if cells else None
    line = f", line {found.group(2)}" if found.group(2) else ""
    return f"cell {name}{line}" if name else found.group(0)


def _placed(trace: dict[str, Any], executed: NotebookNode) -> dict[str, Any]:
    """A trace whose waits name the learner's line; lines of tests are not told."""
    waits = []
    for wait in trace.get("waits", []):
        place = _learners_line(
            [(cell, int(line)) for cell, line in _cells_of([(str(wait["cell"]), str(wait["line"]))], executed)]
        )
        waits.append({**wait, "place": asdict(place) if place else None})
    return {**trace, "waits": waits}


def _learners_line(frames: list[tuple[NotebookNode, int]]) -> Place | None:
    for cell, line in reversed(frames):
        lines = cell.source.split("\n")
        if labs.kind(cell) in ("answer", "") and 0 < line <= len(lines):
            return Place(grade_id(cell) or "a cell of your own", line, lines[line - 1].strip())
    return None
