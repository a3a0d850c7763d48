"""What the autograder knows about one graded submission, kept as ``result.json`` beside the graded notebook.

The gradebook holds the points (and what humans add to them); this file holds all that nbgrader's tables have no place
for: why a check failed, where, what was mended, and the fingerprint that tells whether grading again could change
anything. It is written last: a submission without it is graded again.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

NAME = "result.json"


@dataclass(frozen=True)
class Place:
    """A line of the learner's own code."""

    cell: str  # grade_id, or "cell 7" for a cell without a name
    line: int
    source: str


@dataclass
class CellResult:
    """One cell: an answer, a test or an essay. `points` is None where a human decides, `max_points` 0 for an answer."""

    grade_id: str
    task: str  # number of its exercise
    kind: str  # "answer", "test" or "essay"
    points: float | None = None
    max_points: float = 0.0
    status: str = "ok"  # "ok", "error", "timeout", "died", "not run" or "missing"
    message: str = ""  # why points were lost, in words
    hidden: bool = False  # a check that learners do not see failed
    place: Place | None = None  # where, in the learner's own code
    fault: str = ""  # what is wrong with the test itself
    seconds: float = 0.0
    reason: str = ""  # of the bank's wrong answer that this one reads like; for instructors
    traces: list[dict[str, Any]] = field(default_factory=list)  # of a check that took points (inside/traces.py)


@dataclass
class Result:
    """One submission.

    `status`: "graded"; "unreadable" or "missing" (graded with 0 points, `reason` says why); "failed" (the grader could
    not do its work: nothing was entered in the gradebook, and the next run tries again).
    """

    student: str
    lab: str
    status: str = "graded"
    reason: str = ""
    notes: list[str] = field(default_factory=list)  # what was mended
    suspicions: list[str] = field(default_factory=list)  # what looked like a trick; for instructors only
    cells: list[CellResult] = field(default_factory=list)
    seconds: float = 0.0
    fingerprint: str = ""

    @property
    def points(self) -> float:
        """Points given by the machine."""
        return sum(cell.points or 0.0 for cell in self.cells)

    @property
    def max_points(self) -> float:
        """What the lab is worth."""
        return sum(cell.max_points for cell in self.cells)

    @property
    def flags(self) -> list[str]:
        """Why a human should look at this submission."""
        flags = [f"{cell.grade_id}: {cell.fault}" for cell in self.cells if cell.fault]
        flags = [f"look at this by hand: {suspicion}" for suspicion in self.suspicions] + flags
        return ([f"{self.status}: {self.reason}"] if self.status != "graded" else []) + flags + self.notes


def write(folder: Path, result: Result) -> None:
    """Write the result, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / (NAME + ".part")
    beside.write_text(json.dumps(asdict(result), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(beside, folder / NAME)


def read(folder: Path) -> Result | None:
    """The result in this folder; None if there is none, or none that this version can read."""
    try:
        data = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return _from_json(data)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _from_json(data: dict[str, Any]) -> Result:
    cells = []
    for cell in data.pop("cells"):
        place = cell.pop("place")
        cells.append(CellResult(**cell, place=Place(**place) if place else None))
    return Result(**data, cells=cells)
