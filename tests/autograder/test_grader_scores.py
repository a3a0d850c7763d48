"""Points of one executed cell: only exceptions cost points, and partial credit is a number from 0 to the maximum."""

from __future__ import annotations

import pytest
from nbformat import NotebookNode, v4

from autograder import scores

ERROR = v4.new_output("error", ename="AssertionError", evalue="", traceback=[])
STDERR = v4.new_output("stream", name="stderr", text="UserWarning: a progress bar, a warning, a log line")


def value(text: str) -> NotebookNode:
    return v4.new_output("execute_result", data={"text/plain": text})


def points_for(*outputs: NotebookNode) -> scores.Score:
    about = {"grade": True, "solution": False, "points": 2}
    return scores.score(v4.new_code_cell("", metadata={"nbgrader": about}, outputs=list(outputs)))


@pytest.mark.parametrize(
    ("outputs", "points"),
    [
        ([], 2),
        ([STDERR], 2),
        ([ERROR], 0),
        ([STDERR, ERROR], 0),
        ([value("2"), ERROR], 0),
        ([value("0")], 0),
        ([value("1.5")], 1.5),
        ([value("2.0"), value("0.5")], 0.5),  # the last expression decides, not what a learner displayed before
        ([STDERR, value("1e-3")], 0.001),
    ],
)
def test_points(outputs: list[NotebookNode], points: float) -> None:
    assert points_for(*outputs) == scores.Score(points, 2)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "-1", "2.01", "True", "'full'", "tensor(1.)", "[1]", ""])
def test_what_is_no_number_of_points_is_the_tests_fault(text: str) -> None:
    score = points_for(value(text))
    assert score.points == 0
    assert score.fault == f"the test cell ended with {text}, which is not a number from 0 to 2"


def test_an_essay_waits_for_a_human_unless_untouched() -> None:
    from nbgrader.utils import compute_checksum

    about = {"grade": True, "solution": True, "locked": False, "grade_id": "essay", "points": 3}
    cell = v4.new_markdown_cell("Write your answer here.", metadata={"nbgrader": about})
    cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    assert scores.score(cell) == scores.Score(0, 3)
    cell.source = "Because."
    assert scores.score(cell) == scores.Score(None, 3)
