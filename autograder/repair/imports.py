"""Cells of a lab without a name, such as its imports, that a learner deleted and that graded cells cannot do without.

A cell is needed if it gives a value to a name that a graded cell takes from outside, directly or through another cell
that is needed, and if no cell of the submission gives that name a value.
"""

from __future__ import annotations

from nbformat import NotebookNode

from autograder import dependence, labs
from autograder.notebooks import grade_id


def needed(lab: list[NotebookNode], missing: list[int], cells: list[NotebookNode]) -> list[int]:
    """Which of the missing cells (places in the lab) must come back. `cells`: all that will be run."""
    missing = [p for p in missing if lab[p].cell_type == "code" and not grade_id(lab[p]) and not labs.is_demo(lab[p])]
    if not missing:
        return []
    wanted: set[str] = set()
    given: set[str] = set()
    for cell in cells:
        used, bound = _names(cell)
        given |= bound
        if labs.kind(cell) in ("answer", "test", "locked"):
            wanted |= used
    back = []
    for place in reversed(missing):  # what a cell that comes back needs stands above it
        used, bound = _names(lab[place])
        if bound & (wanted - given):
            back.append(place)
            given |= bound
            wanted |= used
    return sorted(back)


def _names(cell: NotebookNode) -> tuple[set[str], set[str]]:
    """The names a cell uses from outside, and those that it binds."""
    if cell.cell_type != "code":
        return set(), set()
    used: set[str] = set()
    bound: set[str] = set()
    try:
        for uses, binds in dependence.names(cell.source):
            used |= uses - bound
            bound |= binds
    except (ValueError, RecursionError, MemoryError):  # ast on NUL characters and on a thousand brackets
        return set(), set()
    return used, bound
