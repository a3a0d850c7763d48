"""Which of the cells that were found stand where they should.

Found cells that keep the lab's order among themselves (as many as there can be) have not moved. Of the others, those
with a name go back to their places; those without are the learner's to move, and count as the learner's own.
"""

from __future__ import annotations

from bisect import bisect_left

from nbformat import NotebookNode

from autograder.notebooks import grade_id
from autograder.repair.match import Matches


def in_order(found: Matches, lab: list[NotebookNode]) -> tuple[dict[int, int], list[str]]:
    """Places in the submission by places in the lab, for all cells that go to the lab's places; names of the moved."""
    places = sorted(found.cells)
    steady = {places[i] for i in longest_rise([found.cells[place] for place in places])}
    placed, moved = {}, []
    for place in places:
        name = grade_id(lab[place])
        if name or place in steady:
            placed[place] = found.cells[place]
        if name and place not in steady:
            moved.append(name)
    return placed, moved


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
