"""Which of the cells that were found go to the lab's places.

If the named cells stand in the lab's order, nothing moves; a cell without a name that stands between its neighbours
only tells where a missing one goes back to. If some named cells were moved, all cells that were found go to the lab's
places: an import may have been left behind where it is of no use.
"""

from __future__ import annotations

from bisect import bisect_left

from nbformat import NotebookNode

from autograder.notebooks import grade_id
from autograder.repair.match import Matches


def in_order(found: Matches, lab: list[NotebookNode]) -> tuple[dict[int, int], list[str]]:
    """Places in the submission by places in the lab, for all cells that go to the lab's places; names of the moved."""
    named = [place for place in sorted(found.cells) if grade_id(lab[place])]
    steady = {named[i] for i in longest_rise([found.cells[place] for place in named])}
    if len(steady) < len(named):
        return dict(sorted(found.cells.items())), [str(grade_id(lab[place])) for place in named if place not in steady]
    fitting = [place for place in sorted(found.cells) if place in steady or _between(place, named, found)]
    kept = [fitting[i] for i in longest_rise([found.cells[place] for place in fitting])]
    return {place: found.cells[place] for place in kept}, []


def _between(place: int, named: list[int], found: Matches) -> bool:
    """Does it stand below the named cell above it in the lab, and above the one below it?"""
    after = bisect_left(named, place)
    above = found.cells[named[after - 1]] if after else -1
    below = found.cells[named[after]] if after < len(named) else float("inf")
    return above < found.cells[place] < below


def longest_rise(numbers: list[int]) -> list[int]:
    """The places of a longest rising run of numbers, gaps allowed.

    >>> longest_rise([0, 7, 1, 2])
    [0, 2, 3]
    """
    tails: list[int] = []  # the smallest number that ends a run of this length
    ends: list[int] = []  # and its place
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(tails, number)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [number]
        ends[length : length + 1] = [place]
    rise = []
    place = ends[-1] if ends else -1
    while place >= 0:
        rise.append(place)
        place = before[place]
    return rise[::-1]
