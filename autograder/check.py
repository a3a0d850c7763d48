"""One notebook, scored without a gradebook: for a learner, a CI job or Gradescope.

The notebook is graded as any submission is, in a temporary course that is thrown away. The result is a dictionary in
the form of Gradescope's results.json: https://gradescope-autograders.readthedocs.io/en/latest/specs/

    >>> check(course, Path("03_mnist_cnn.ipynb"))["score"]            # doctest: +SKIP
    9.0
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from autograder import notebooks
from autograder.course import CONFIG, Course, UsageError
from autograder.grade import grade
from autograder.kernels import Runner
from autograder.results import CellResult, Result


def check(course: Course, path: Path, lab: str | None = None, runner: Runner | None = None) -> dict[str, Any]:
    """Grade one file. UsageError if it is not there or fits no lab."""
    if not path.is_file():
        raise UsageError(f"no such notebook: {path}")
    lab = lab or which_lab(course, path)
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        made = Course(Path(folder).resolve())
        shutil.copyfile(course.root / CONFIG, made.root / CONFIG)
        course.lab(lab)  # a lab that does not exist is named
        shutil.copytree(course.source(lab), made.source(lab))
        submitted = made.submitted("learner", lab)
        submitted.mkdir(parents=True)
        shutil.copyfile(path, submitted / f"{lab}.ipynb")
        (result,) = grade(made, lab, runner=runner)
    return as_gradescope(course, result)


def which_lab(course: Course, path: Path) -> str:
    """The lab of this name, else the one with which the notebook has most cell names in common."""
    if path.stem in course.labs():
        return path.stem
    try:
        names = {name for cell in notebooks.read(path).cells if (name := notebooks.grade_id(cell))}
    except notebooks.UnreadableNotebook as error:
        raise UsageError(f"{path}: {error}") from error
    common = {lab: len(names & set(course.lab(lab).points)) for lab in course.labs()}
    best = max(common, key=lambda lab: common[lab], default="")
    if not common.get(best):
        raise UsageError(f"{path} has no cell of any lab: give its lab with --lab")
    return best


def as_gradescope(course: Course, result: Result) -> dict[str, Any]:
    """A result as Gradescope's results.json."""
    labels = {e.task.number: e.label for e in course.lab(result.lab).exercises}
    graded = [cell for cell in result.cells if cell.kind != "answer"]
    return {
        "score": result.points,
        "output": "\n".join([result.reason, *result.notes]).strip(),
        "execution_time": round(result.seconds),
        "tests": [_test(cell, labels.get(cell.task, cell.task)) for cell in graded],
    }


def _test(cell: CellResult, label: str) -> dict[str, Any]:
    output = cell.message
    if cell.place and output:
        output += f"\nLook at line {cell.place.line} of {cell.place.cell}: {cell.place.source}"
    status = "passed" if cell.points is not None and cell.points >= cell.max_points else "failed"
    about = {"name": f"{label}: {cell.grade_id}", "score": cell.points or 0.0, "max_score": cell.max_points}
    if cell.points is None:
        return about | {"output": "a human reads this answer"}
    return about | {"status": status, "output": output}
