"""Submissions that want points without a right answer: each gets none, or a human is told why to look at it."""

from __future__ import annotations

import pytest
import watched_lab
from watched_lab import Case

pytestmark = pytest.mark.xdist_group("watched lab")
CHEATS = watched_lab.cases("cheats")


def test_there_are_enough_and_each_says_what_it_tries() -> None:
    assert len(CHEATS) >= 60
    for case in CHEATS:
        assert {"tries", "cell"} <= set(case.about), case.path
        assert {"no points", "flagged"} & set(case.about), case.path


@pytest.mark.parametrize("case", CHEATS, ids=lambda case: case.path.stem)
def test_no_points_unearned_and_unnoticed(case: Case) -> None:
    result = watched_lab.graded()[case.student]
    assert result.status == "graded", result.reason
    points = watched_lab.points(result)
    for test in case.about.get("no points", "").split():
        assert points[test] == 0, f"{test}: {points[test]} points; {result.suspicions}"
    wanted = case.about.get("flagged", "")
    assert any(wanted in words for words in result.suspicions) or not wanted, (points, result.suspicions)
