"""Odd but honest submissions: each gets its points, and nobody is told to look at it."""

from __future__ import annotations

import pytest
import watched_lab
from watched_lab import Case

pytestmark = pytest.mark.xdist_group("watched lab")
HONEST = watched_lab.cases("honest")


def test_there_are_enough() -> None:
    assert len(HONEST) >= 30
    assert all({"tries", "cell"} <= set(case.about) for case in HONEST)


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.path.stem)
def test_all_points_and_no_suspicion(case: Case) -> None:
    result = watched_lab.graded()[case.student]
    lost = [
        (c.grade_id, c.points, c.message)
        for c in result.cells
        if c.message or c.max_points and c.points != c.max_points
    ]
    assert (lost, result.suspicions) == ([], [])
