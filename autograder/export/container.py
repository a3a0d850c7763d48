"""What runs in Gradescope's container: ``python -m autograder.export.container LAB``.

Reads ``$AUTOGRADER_ROOT/submission`` (``/autograder`` unless the variable says otherwise), grades the notebook that
counts as `autograder check` does, and writes ``results/results.json``, whole or not at all. A results file with the
reason is there before anything is run: a grader that is killed still leaves one. What a submission prints goes nowhere
near it. ``submission_metadata.json`` is not read, so it may be missing, empty or anything.

Gradescope's container usually lets no sandbox start inside itself. Then the notebook runs in an ordinary kernel, and
the log, which instructors see, says so. The container is one submission's and is thrown away, but code in it can read
the hidden tests and write results: grade what counts on a machine of your own.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

from autograder.check import check
from autograder.course import Course, UsageError
from autograder.intake import files
from autograder.intake.choose import Labs, candidates
from autograder.intake.downloads import Handed
from autograder.intake.roster import Clues
from autograder.kernels import KernelRunner, Runner

_STOPPED = (
    "The grader was stopped before it came to an end, most likely because the container has too little memory or the "
    "time was over. This is no fault of yours. Please tell your instructor."
)
_BROKEN = "The grader itself has a fault: this is no fault of yours. Please tell your instructor."


def main(lab: str) -> int:
    """Grade the submission in the container; 0 whenever there is a result to show."""
    root = Path(os.environ.get("AUTOGRADER_ROOT", "/autograder"))
    course = Course.find(root / "source" / "course")
    most = course.lab(lab).max_points
    write(root, {"score": 0.0, "output": _STOPPED, "tests": [_whole(most, _STOPPED)]})
    try:
        results = graded(course, root / "submission", lab)
    except Exception:
        traceback.print_exc()  # instructors see what is printed, students do not
        results = {"score": 0.0, "output": _BROKEN, "tests": [_whole(most, _BROKEN)]}
    write(root, results)
    return 0


def graded(course: Course, submission: Path, lab: str) -> dict[str, Any]:
    """The results of the notebook that counts in a folder of submitted files."""
    with files.listed(submission) as items:
        handed = [Handed(item, Clues("submission"), item.name, item.received) for item in items]
        found, refused, others = candidates(handed, Labs(course, lab))
    told = [f"{path}: {reason}" for path, reason in refused]
    if not found:
        reason = f"no notebook {lab}.ipynb was handed in" + (f"; there is: {', '.join(others)}" if others else "")
        return _nothing(course, lab, "\n".join([reason, *told]))
    best = found[-1]
    if len(found) > 1:
        told.append(f"{len(found)} notebooks were handed in: {best.handed.item.path} counts")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{lab}.ipynb"
        path.write_bytes(best.data)
        try:
            results = check(course, path, lab, runner())
        except UsageError as error:
            return _nothing(course, lab, str(error))
    results["output"] = "\n".join(filter(None, [results.get("output", ""), *best.notes, *told]))
    return results


def runner() -> Runner | None:
    """What runs the notebook: the sandbox (None) where one starts, else an ordinary kernel."""
    from autograder import sandbox

    try:
        sandbox.find()
    except UsageError as error:
        print(f"No sandbox in this container, so the notebook runs without one. {error}")
        return KernelRunner()
    return None


def _nothing(course: Course, lab: str, reason: str) -> dict[str, Any]:
    return {"score": 0.0, "output": reason, "tests": [_whole(course.lab(lab).max_points, reason)]}


def _whole(most: float, reason: str) -> dict[str, Any]:
    return {"name": "the whole lab", "score": 0.0, "max_score": most, "status": "failed", "output": reason}


def write(root: Path, results: dict[str, Any]) -> None:
    """Write results.json, whole or not at all. All text is shown as it is, none of it as HTML."""
    results = results | {"output_format": "text", "test_output_format": "text", "test_name_format": "text"}
    folder = root / "results"
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / "results.json.part"
    beside.write_text(json.dumps(results, allow_nan=False), encoding="utf-8")
    os.replace(beside, folder / "results.json")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
