"""What may not leave source/: the checks that make `autograder release` refuse, each naming the cell and the remedy.

Three looks: at the folder (only images and small data go along), at the source notebook (is every marker where nbgrader
sees it, does every graded cell have a name, points and a task), and at the finished release (does any solution or
hidden test stand in it word for word).

What it does not: understand code. A solution retold in other words in a text cell is the author's own matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder import labs
from autograder.labs import BEGIN_HIDDEN, BEGIN_SOLUTION, END_HIDDEN, END_SOLUTION
from autograder.notebooks import grade_id

RELEASED_SUFFIXES = {".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".csv"}
_LITTER = {".ipynb_checkpoints", "__pycache__", ".DS_Store"}
_MARKER = re.compile(r"\b(begin|end)[ _-]*(solution|hidden[ _-]*tests?)\b", re.IGNORECASE)
_EXACT = (BEGIN_SOLUTION, END_SOLUTION, BEGIN_HIDDEN, END_HIDDEN)
_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


@dataclass(frozen=True)
class Problem:
    """One reason to refuse: where, and what to do."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def all_files(folder: Path) -> list[Path]:
    """Every file in a folder that is not an editor's litter."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and not _LITTER & set(p.relative_to(folder).parts))


def extra_files(folder: Path) -> list[Path]:
    """The files that go along with the notebook: images and small data."""
    return [p for p in all_files(folder) if p.suffix.lower() in RELEASED_SUFFIXES]


def in_folder(folder: Path) -> list[Problem]:
    """Files beside the notebook that would not be released, and so would be missed or leaked."""
    allowed = [*extra_files(folder), folder / f"{folder.name}.ipynb"]
    kinds = ", ".join(sorted(RELEASED_SUFFIXES))
    return [
        Problem(f"file {path.name}", f"only {folder.name}.ipynb and {kinds} are released: move it out of {folder}")
        for path in all_files(folder)
        if path not in allowed
    ]


def in_source(notebook: NotebookNode) -> list[Problem]:
    """What is wrong with a source notebook."""
    problems = list(_doubles(notebook))
    answered = False  # has any answer stood above?
    for number, cell in enumerate(notebook.cells, 1):
        where = f"cell {grade_id(cell) or number}"
        answered |= labs.kind(cell) in ("answer", "essay")
        faults = [*_form(cell), *_markers(cell), *_graded(cell)]
        if labs.kind(cell) == "test" and not answered:
            faults.append("a test before any answer: move it below the answer that it tests")
        problems += [Problem(where, fault) for fault in faults]
    return problems


def _doubles(notebook: NotebookNode) -> Iterable[Problem]:
    counts = Counter(name for cell in notebook.cells if (name := grade_id(cell)))
    for name, count in counts.items():
        if count > 1:
            yield Problem(f"cell {name}", f"this grade_id is used {count} times: rename the others")


def _form(cell: NotebookNode) -> Iterable[str]:
    if cell.get("outputs") or cell.get("execution_count") is not None:
        yield "an output or execution count is left in it: run `python -m autograder.notebooks --fix` on the file"


def _markers(cell: NotebookNode) -> Iterable[str]:
    kind = labs.kind(cell)
    for found in _MARKER.finditer(cell.source):
        if found.group(0) not in _EXACT:
            yield f"nbgrader does not see the marker {found.group(0)!r}: write it as in '### {BEGIN_SOLUTION}'"
    if BEGIN_SOLUTION in cell.source and kind not in ("answer", "essay"):
        yield "a solution outside an answer cell: mark the cell as 'Manually/autograded answer' or take it out"
    if BEGIN_HIDDEN in cell.source and kind != "test":
        yield "a hidden test outside a test cell: mark the cell as 'Autograder tests' or take it out"
    for begin, end in ((BEGIN_SOLUTION, END_SOLUTION), (BEGIN_HIDDEN, END_HIDDEN)):
        try:
            labs.regions(cell.source, begin, end)
        except ValueError as error:
            yield str(error)


def _graded(cell: NotebookNode) -> Iterable[str]:
    kind, about = labs.kind(cell), cell.metadata.get("nbgrader", {})
    if not kind:
        return
    if not _NAME.match(grade_id(cell) or ""):
        yield f"its grade_id {grade_id(cell)!r} must be 1 to 64 letters, digits, '-' or '_'"
    if kind in ("test", "essay") and not float(about.get("points") or 0) > 0:
        yield "it is graded but worth no points: give it points, or make it a plain locked cell"
    if kind == "answer" and cell.cell_type == "code":
        if BEGIN_SOLUTION not in cell.source:
            yield f"no '### {BEGIN_SOLUTION}' ... '### {END_SOLUTION}' around the solution"
        if labs.own_task(cell) is None:
            yield "it names no task: add a comment '# Task 3.2: what to do', or metadata.syncpoint.task"


def in_release(source: NotebookNode, released: NotebookNode) -> list[Problem]:
    """Solutions and hidden tests of the source that can be read in the release."""
    problems = []
    for number, cell in enumerate(released.cells, 1):
        where = f"cell {grade_id(cell) or number} of the release"
        text = _squeezed(cell.source)
        if any(marker in cell.source for marker in _EXACT):
            problems.append(Problem(where, "a marker is left in it"))
        for owner, what, secret in _secrets(source):
            if secret in text:
                problems.append(Problem(where, f"the {what} of cell {owner} can be read in it: take it out"))
    return problems


def _secrets(source: NotebookNode) -> Iterable[tuple[str, str, str]]:
    """(cell, what, squeezed text) of all that must not be read. Very short ones are no secret: `return x`, say."""
    for cell in source.cells:
        lines = cell.source.split("\n")
        for begin, end, what in ((BEGIN_SOLUTION, END_SOLUTION, "solution"), (BEGIN_HIDDEN, END_HIDDEN, "hidden test")):
            for first, last in labs.regions(cell.source, begin, end):
                body = [line for line in lines[first + 1 : last] if line.strip()]
                secret = _squeezed("\n".join(body))
                if len(body) > 1 or len(secret) >= 40:
                    yield str(grade_id(cell)), what, secret


def _squeezed(text: str) -> str:
    """The text without any white space, so that another indentation does not hide a copy."""
    return "".join(text.split())
