"""A submission made well-formed, so that nbgrader's steps neither stop nor lose points on it.

Editors lose, copy, move and rename cells: Colab and VS Code ignore "not deletable". Here the lab's own notebook (the
master: stubs, all tests) is the truth about which cells exist, in which order and what they are worth:

- a cell is found by its name, else by its id, its text, its task, its likeness or its place (`match.py`);
- of an answer that is there more than once the last copy that was worked on counts. Earlier ones run as ordinary
  cells; untouched copies, and copies of tests, go;
- named cells stand in the lab's order, and a learner's own cells stay behind the cell that they stood behind. If a
  named cell was moved, the lab's other cells go back to their places, too;
- kind, points and locks of a cell are the master's, and tags are dropped (``skip-execution`` would skip a test);
- tests and locked cells get the master's text (nbgrader's OverwriteCells does it; here an edited one is only noted);
- a test, an essay or a locked cell that is missing is put back, and so are imports and helpers of the lab that graded
  cells cannot do without (`imports.py`). A missing answer is not;
- outputs are emptied: they are made anew.

Everything that was mended is told in a note, which instructors and the student read.

    mended, notes = repair(submission, master)        # (a new notebook, ["missing and put back: test_sum"])
"""

from __future__ import annotations

import copy

from nbformat import NotebookNode

from autograder import labs, shape
from autograder.notebooks import grade_id
from autograder.repair import alike, imports
from autograder.repair.match import Matches, match
from autograder.repair.order import in_order

_MARKING = ("grade", "solution", "locked", "task", "points", "cell_type")
_FOUND_BY = {"id": "its id", "text": "its text", "task": "its task", "likeness": "its text", "place": "its place"}


def repair(submission: NotebookNode, master: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """A mended copy of the submission, and in plain words what was mended."""
    made, notes = shape.sound(submission)
    mine = [_bare(cell) for cell in made.cells]
    found = match(mine, master.cells)
    notes += _copies(mine, master.cells, found) + _strangers(mine, master.cells, found)
    placed, moved = in_order(found, master.cells)
    notes += _names_restored(mine, master.cells, found, placed)
    if moved := [name for name in moved if name not in _copied(master.cells, found)]:
        notes.append(f"moved back to their places: {', '.join(moved)}")
    cells, put_back_notes = _rebuilt(mine, master.cells, placed)
    made.cells = _with_ids(cells)
    return made, notes + put_back_notes


def _bare(cell: NotebookNode) -> NotebookNode:
    """A copy without outputs and tags."""
    made: NotebookNode = copy.deepcopy(NotebookNode({k: v for k, v in cell.items() if k != "outputs"}))
    if made.cell_type == "code":
        made.outputs, made.execution_count = [], None
    return made


def _copied(lab: list[NotebookNode], found: Matches) -> set[str]:
    return {str(grade_id(lab[place])) for place in found.copies}


def _copies(mine: list[NotebookNode], lab: list[NotebookNode], found: Matches) -> list[str]:
    """Take the names from copies; those without a learner's work in them go when all is put together."""
    notes = []
    for place, copies in sorted(found.copies.items(), key=lambda item: max(item[1]), reverse=True):
        name = grade_id(lab[place])
        last = max(copies) < found.cells[place]
        which = "the last one counts" if last else "the last one that was changed counts"
        notes.append(f"cell {name!r} is there more than once: {which}")
        for cell in copies:
            _set_free(mine[cell])
            if alike.same(mine[cell].source, alike.public(lab[place])):
                mine[cell]["gone"] = True
    return notes


def _set_free(cell: NotebookNode) -> None:
    for key in ("nbgrader", "deletable", "editable"):
        cell.metadata.pop(key, None)


def _strangers(mine: list[NotebookNode], lab: list[NotebookNode], found: Matches) -> list[str]:
    """Cells with a name that is not theirs lose it and keep their text."""
    notes = []
    theirs = {cell: str(grade_id(lab[place])) for place, cell in found.cells.items() if grade_id(lab[place])}
    for cell, node in enumerate(mine):
        name = grade_id(node)
        if cell in theirs or "nbgrader" not in node.metadata:
            continue
        _set_free(node)
        if name:
            notes.append(f"cell {_shown(name)!r} is not a cell of this lab: it is run, but not graded")
    return notes


def _names_restored(
    mine: list[NotebookNode], lab: list[NotebookNode], found: Matches, placed: dict[int, int]
) -> list[str]:
    """Kind, points, locks and names as in the lab; what each cell had instead."""
    notes, again = [], []
    for place, cell in sorted(placed.items(), key=lambda pair: pair[1]):
        node, wanted = mine[cell], lab[place]
        tags = node.metadata.pop("tags", [])
        name = grade_id(wanted)
        if not name:
            node.metadata |= {k: copy.deepcopy(v) for k, v in wanted.metadata.items() if k == "syncpoint"}
            continue
        if found.how[place] != "name":
            had = grade_id(node)
            called = f" (called {_shown(had)})" if had and had != name else ""
            again.append(f"{name}{called} by {_FOUND_BY[found.how[place]]}")
        notes += _differences(node, wanted, name, tags)
        node.metadata = copy.deepcopy(wanted.metadata)
        if node.cell_type != wanted.cell_type:
            notes.append(f"cell {name!r} was a {node.cell_type} cell: it is a {wanted.cell_type} cell again")
            _change_type(node, wanted.cell_type)
    for node in mine:
        node.metadata.pop("tags", None)
    return ([f"names were lost and found again: {', '.join(again)}"] if again else []) + notes


def _differences(node: NotebookNode, wanted: NotebookNode, name: str, tags: list[str]) -> list[str]:
    notes = []
    had, right = node.metadata.get("nbgrader"), wanted.metadata["nbgrader"]
    if had is not None:
        forged = [key for key in _MARKING if had.get(key, right.get(key)) != right.get(key)]
        if had.get("schema_version", 3) != right.get("schema_version", 3):
            forged.append("schema_version")
        if forged:
            notes.append(f"the marking of cell {name!r} was changed ({', '.join(forged)}): the lab's own was used")
    if "skip-execution" in tags:
        notes.append(f"cell {name!r} was marked to be skipped: it is run")
    if labs.kind(wanted) in ("test", "locked") and not alike.same(node.source, alike.public(wanted)):
        notes.append(f"cell {name!r} was edited: the lab's own text was used")
    return notes


def _change_type(cell: NotebookNode, cell_type: str) -> None:
    cell.cell_type = cell_type
    for key in ("outputs", "execution_count", "attachments"):
        cell.pop(key, None)
    if cell_type == "code":
        cell.outputs, cell.execution_count = [], None


def _rebuilt(
    mine: list[NotebookNode], lab: list[NotebookNode], placed: dict[int, int]
) -> tuple[list[NotebookNode], list[str]]:
    """All cells in their order, and notes of what was put back and of what is missing."""
    known = set(placed.values())
    own: dict[int, list[NotebookNode]] = {-1: []}  # a learner's own cells by the known cell above them
    above = -1
    for cell, node in enumerate(mine):
        if cell in known:
            above = cell
            own[above] = []
        elif not node.get("gone"):
            own[above].append(node)
    missing = [place for place in range(len(lab)) if place not in placed]
    graded = [place for place in missing if labs.kind(lab[place]) in ("test", "essay", "locked")]
    there = [*mine, *(lab[place] for place in graded)]
    again = imports.needed(lab, missing, [node for node in there if not node.get("gone")])
    cells, back = list(own[-1]), []
    for place, wanted in enumerate(lab):
        if place in placed:
            cells += [mine[placed[place]], *own[placed[place]]]
        elif place in graded or place in again:
            cells.append(_bare(wanted))
            back.append(str(grade_id(wanted) or _first_line(wanted)))
    notes = [f"missing and put back: {', '.join(back)}"] if back else []
    gone = [str(grade_id(lab[place])) for place in missing if labs.kind(lab[place]) == "answer"]
    return cells, notes + ([f"missing answers: {', '.join(gone)}"] if gone else [])


def _shown(name: str) -> str:
    """A name that a learner's file gives, fit for one line."""
    plain = "".join(c if c.isprintable() else "?" for c in name)
    return plain if len(plain) <= 40 else plain[:37] + "..."


def _first_line(cell: NotebookNode) -> str:
    line = next((line for line in cell.source.split("\n") if line.strip()), "")
    return f"the cell that begins with {line[:60]!r}"


def _with_ids(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Ids that are there once, and no metadata that only stood in for them; named cells keep theirs."""
    seen: set[str] = set()
    for cell in sorted(cells, key=lambda cell: grade_id(cell) is None):
        cell.metadata.pop("id", None)
        cell["id"] = shape.free_id(str(cell.get("id") or "cell"), seen)
    return cells
