"""What a lab asks: its exercises, the cells that answer them and the cells that test them.

A lab is the notebook ``source/NN_name/NN_name.ipynb``. nbgrader's metadata says which cells are answers
(``solution``), tests (``grade``) or both (graded by hand). An exercise is a task with its answer cells and its test
cells. A cell's task is, in this order: ``metadata.syncpoint.task``; a comment ``# Task 3.2: repair the wait`` in it;
for a test cell, the task of the answer above it; for an answer in words, the nearest heading ``## Task 3.4: ...``.

What it does not: look into the code. Which test depends on which answer by name is ``answers.py``'s matter.

    >>> lab = read_lab(Path("source/01_tensors/01_tensors.ipynb"))      # doctest: +SKIP
    >>> [(e.label, e.points) for e in lab.exercises]                    # doctest: +SKIP
    [('Task 1.1: pick a device', 2.0), ...]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from autograder import notebooks

BEGIN_SOLUTION, END_SOLUTION = "BEGIN SOLUTION", "END SOLUTION"  # nbgrader's delimiters
BEGIN_HIDDEN, END_HIDDEN = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"
_TASK_COMMENT = re.compile(r"^\s*#\s*Task\s+(\w+(?:\.\w+)*)\s*:?[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
_TASK_HEADING = re.compile(r"^#{1,6}\s*Task\s+(\w+(?:\.\w+)*)\s*:?[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """The name of an exercise: number "3.2", title "repair the wait"."""

    number: str
    title: str = ""

    @property
    def label(self) -> str:
        """How the task is called in messages and tables."""
        return f"Task {self.number}: {self.title}" if self.title else f"Task {self.number}"


@dataclass
class Exercise:
    """A task, the grade_ids that answer it and the graded cells that give its points."""

    task: Task
    answers: list[str] = field(default_factory=list)
    points: dict[str, float] = field(default_factory=dict)  # graded cell -> maximum

    @property
    def label(self) -> str:
        """How the exercise is called in messages and tables."""
        return self.task.label

    @property
    def max_points(self) -> float:
        """What the exercise is worth."""
        return sum(self.points.values())


@dataclass(frozen=True)
class Lab:
    """A lab's name, its notebook and its exercises in order."""

    name: str
    notebook: NotebookNode
    exercises: list[Exercise]

    @property
    def points(self) -> dict[str, float]:
        """Every graded cell and its maximum, in the notebook's order."""
        return {cell: points for exercise in self.exercises for cell, points in exercise.points.items()}

    @property
    def max_points(self) -> float:
        """What the lab is worth."""
        return sum(self.points.values())

    def cell(self, grade_id: str) -> NotebookNode:
        """The cell of this name. KeyError if there is none."""
        for cell in self.notebook.cells:
            if notebooks.grade_id(cell) == grade_id:
                return cell
        raise KeyError(f"lab {self.name} has no cell {grade_id!r}")


def kind(cell: NotebookNode) -> str:
    """"answer", "test", "essay" (an answer graded by hand), "locked" or "" (any other cell)."""
    about = cell.metadata.get("nbgrader", {})
    solution, grade = bool(about.get("solution")), bool(about.get("grade"))
    if solution:
        return "essay" if grade else "answer"
    if grade:
        return "test"
    return "locked" if about.get("locked") else ""


def is_demo(cell: NotebookNode) -> bool:
    """A demonstration, marked by its author with ``metadata.syncpoint.demo``: no graded cell needs it.

    It is run for readers and by the tests of the notebooks, but not when answers are graded: half of a lab's time
    goes into figures and training runs that give no points.
    """
    return bool(cell.metadata.get("syncpoint", {}).get("demo")) and not kind(cell)


def last_graded(notebook: NotebookNode) -> int:
    """The place of the last test or essay; the last cell's place if nothing is graded."""
    graded = [index for index, cell in enumerate(notebook.cells) if kind(cell) in ("test", "essay")]
    return graded[-1] if graded else len(notebook.cells) - 1


def own_task(cell: NotebookNode) -> Task | None:
    """The task that the cell itself names, in its metadata or in a comment."""
    about = cell.metadata.get("syncpoint", {})
    comment = _TASK_COMMENT.search(cell.source) if cell.cell_type == "code" else None
    if "task" in about:
        title = about.get("title") or (comment.group(2) if comment else "")
        return Task(str(about["task"]), title.strip())
    return Task(comment.group(1), comment.group(2).strip()) if comment else None


def read_lab(path: Path) -> Lab:
    """Read a lab from its source notebook."""
    return as_lab(path.stem, notebooks.read(path))


def as_lab(name: str, notebook: NotebookNode) -> Lab:
    """The exercises of a notebook, in order; cells of one task form one exercise, wherever they stand."""
    exercises: dict[str, Exercise] = {}
    current: Task | None = None  # of the answer above
    heading: Task | None = None
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := _TASK_HEADING.search(cell.source)):
            heading = Task(found.group(1), found.group(2).strip())
        what, name_ = kind(cell), notebooks.grade_id(cell)
        if what not in ("answer", "test", "essay") or name_ is None:
            continue
        inherited = current if what == "test" else heading
        task = own_task(cell) or inherited or Task(name_)
        current = task if what != "test" else current
        exercise = exercises.setdefault(task.number, Exercise(_titled(task, heading)))
        if what != "test":
            exercise.answers.append(name_)
        if what != "answer":
            exercise.points[name_] = float(cell.metadata.nbgrader.get("points", 0))
    return Lab(name, notebook, list(exercises.values()))


def _titled(task: Task, heading: Task | None) -> Task:
    """A task without a title of its own takes the title of the heading it stands under."""
    if not task.title and heading and heading.number == task.number:
        return heading
    return task


def regions(source: str, begin: str, end: str) -> list[tuple[int, int]]:
    """Line numbers (first, last; from 0, markers included) of the regions between two markers."""
    found, start = [], None
    for number, line in enumerate(source.split("\n")):
        if begin in line:
            if start is not None:
                raise ValueError(f"line {number + 1}: {begin!r} inside a region that is still open")
            start = number
        elif end in line:
            if start is None:
                raise ValueError(f"line {number + 1}: {end!r} without {begin!r}")
            found.append((start, number))
            start = None
    if start is not None:
        raise ValueError(f"line {start + 1}: {begin!r} is never closed")
    return found


def without_markers(source: str) -> str:
    """A solution cell as a learner would have written it: the marker lines gone, the solution kept."""
    return "\n".join(line for line in source.split("\n") if BEGIN_SOLUTION not in line and END_SOLUTION not in line)


def hidden_lines(source: str) -> set[int]:
    """The numbers (from 1) of the lines that learners never see, markers included."""
    return {n + 1 for first, last in regions(source, BEGIN_HIDDEN, END_HIDDEN) for n in range(first, last + 1)}
