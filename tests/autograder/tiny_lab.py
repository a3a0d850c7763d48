"""A small lab, made here, on which the autograder is tested. It needs no torch, so its kernels start fast."""

from __future__ import annotations

import shutil
from pathlib import Path

from nbformat import NotebookNode, v4

from autograder import notebooks
from autograder.course import Course

ROOT = Path(__file__).parents[2]
LAB = "01_tiny"
CLASS = Path(__file__).parent / "tiny_class"


def code(source: str, **nbgrader: object) -> NotebookNode:
    """A code cell; with a grade_id, an nbgrader cell."""
    return _graded(v4.new_code_cell(source.strip("\n")), nbgrader)


def text(source: str, **nbgrader: object) -> NotebookNode:
    """A text cell; with a grade_id, an nbgrader cell."""
    return _graded(v4.new_markdown_cell(source.strip("\n")), nbgrader)


def _graded(cell: NotebookNode, about: dict[str, object]) -> NotebookNode:
    if about:
        plain = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
        cell.metadata["nbgrader"] = {**plain, **about}
    return cell


def tiny_cells() -> list[NotebookNode]:
    """Setup, two exercises with a hidden test and partial credit, one answer graded by hand: 1 + 2 + 2 + 3 points."""
    return [
        text("# A tiny lab"),
        code("import sys\nimport warnings", grade_id="setup", locked=True),
        text("## Task 1.1: double a number"),
        code(
            """
# Task 1.1: double a number
def double(x):
    ### BEGIN SOLUTION
    twice = x + x
    return twice
    ### END SOLUTION
""",
            grade_id="double",
            solution=True,
        ),
        code(
            'assert double(2) == 4, "double(2) should be 4"',
            grade_id="test_double",
            grade=True,
            locked=True,
            points=1,
        ),
        code(
            """
assert double(0) == 0
### BEGIN HIDDEN TESTS
for secret_number in (-7, 10**6):
    assert double(secret_number) == 2 * secret_number, f"double({secret_number}) is wrong"
### END HIDDEN TESTS
""",
            grade_id="test_double_more",
            grade=True,
            locked=True,
            points=2,
        ),
        text("## Task 1.2: count the even numbers"),
        code(
            """
# Task 1.2: count the even numbers
### BEGIN SOLUTION
def count_even(numbers):
    return sum(1 for n in numbers if n % 2 == 0)
### END SOLUTION
""",
            grade_id="count",
            solution=True,
        ),
        code(
            """
cases = [([], 0), ([1, 2, 4], 2)]
2 * sum(count_even(numbers) == right for numbers, right in cases) / len(cases)
""",
            grade_id="test_count",
            grade=True,
            locked=True,
            points=2,
        ),
        text("## Task 1.3: explain\n\nWhy does `double` not need a loop?"),
        text("Because addition does it in one step.", grade_id="essay", grade=True, solution=True, points=3),
    ]


def tiny_notebook() -> NotebookNode:
    """The source notebook of the tiny lab."""
    return notebooks.canonical(v4.new_notebook(cells=tiny_cells()))


def write(path: Path, notebook: NotebookNode) -> Path:
    """Write a notebook in canonical bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebooks.dumps(notebook), encoding="utf-8", newline="\n")
    return path


def make_course(root: Path) -> Course:
    """A course folder that holds the tiny lab."""
    root.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / "nbgrader_config.py", root / "nbgrader_config.py")
    write(root / "source" / LAB / f"{LAB}.ipynb", tiny_notebook())
    return Course(root)


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    """The cell with this grade_id."""
    return next(c for c in notebook.cells if notebooks.grade_id(c) == name)
