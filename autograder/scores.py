"""From an executed cell to its points.

- An exception costs all points of the cell; nothing else does. Warnings, logging and progress bars on standard error
  are not faults (nbgrader takes all points for any text there).
- The value of the last expression, if there is one, is partial credit. It must be a finite number from 0 to the
  maximum. Anything else is the instructor's mistake: no points, and the cell is marked for a human with the reason
  (nbgrader gives full points for "nan", -1 or text).
- An answer graded by hand gets 0 while it is untouched, else waits for a human.

    >>> from nbformat.v4 import new_code_cell
    >>> score(new_code_cell("...", metadata={"nbgrader": {"grade": True, "solution": False, "points": 2}}))
    Score(points=2.0, max_points=2.0, fault='')
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nbformat import NotebookNode


@dataclass(frozen=True)
class Score:
    """Points of one cell. `points` None: a human decides. `fault`: what is wrong with the test itself."""

    points: float | None
    max_points: float
    fault: str = ""


def score(cell: NotebookNode) -> Score:
    """The points of a graded cell that has been executed."""
    about = cell.metadata["nbgrader"]
    max_points = float(about["points"])
    if about.get("solution"):
        return Score(0.0 if untouched(cell) else None, max_points)
    if cell.cell_type != "code":
        return Score(None, max_points)
    if error(cell) is not None:
        return Score(0.0, max_points)
    results = [output for output in cell.outputs if output.output_type == "execute_result"]
    if not results:
        return Score(max_points, max_points)
    return _partial(results[-1].get("data", {}).get("text/plain", ""), max_points)


def error(cell: NotebookNode) -> NotebookNode | None:
    """The cell's error output, if it raised."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            return output
    return None


def untouched(cell: NotebookNode) -> bool:
    """Whether an answer is still as it was released."""
    from nbgrader.utils import compute_checksum

    return bool(cell.metadata["nbgrader"].get("checksum") == compute_checksum(cell))


def _partial(text: str, max_points: float) -> Score:
    shown = text if len(text) <= 60 else text[:57] + "..."
    try:
        points = float(text)
    except ValueError:
        points = math.nan
    if math.isfinite(points) and 0 <= points <= max_points:
        return Score(points, max_points)
    fault = f"the test cell ended with {shown}, which is not a number from 0 to {max_points:g}"
    return Score(0.0, max_points, fault)
