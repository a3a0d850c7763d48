"""A submission made well-formed, so that nbgrader's steps neither stop nor lose points on it.

Editors lose, copy and rename cells: Colab and VS Code ignore "not deletable". Here the lab's own notebook (the master:
stubs, all tests) is the truth about which cells exist and what they are worth:

- of cells with the same grade_id the last one counts, as it does when a notebook is run from top to bottom;
- a cell with a grade_id that the lab does not have keeps its text and loses the name;
- kind, points and locks of a cell are the master's, and tags are dropped (``skip-execution`` would skip a test);
- tests and locked cells get the master's text (nbgrader's OverwriteCells does it; here an edited one is only noted);
- a test, an essay or a locked cell that is missing is put back behind the nearest earlier cell that is there.
  A missing answer is not.

What it does not: find a cell again whose name was lost, by its place or its text.
"""

from __future__ import annotations

import copy

from nbformat import NotebookNode

from autograder import labs
from autograder.notebooks import grade_id


def repair(submission: NotebookNode, master: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """A mended copy of the submission, and in plain words what was mended."""
    mended = copy.deepcopy(submission)
    known = {name: cell for cell in master.cells if (name := grade_id(cell))}
    notes = _keep_last(mended) + _restore_metadata(mended, known) + _put_back(mended, master)
    return mended, notes


def _keep_last(notebook: NotebookNode) -> list[str]:
    notes, seen = [], set()
    for cell in reversed(notebook.cells):
        name = grade_id(cell)
        if name in seen:
            del cell.metadata["nbgrader"]
            notes.append(f"cell {name!r} is there more than once: the last one counts")
        elif name:
            seen.add(name)
    return notes


def _restore_metadata(notebook: NotebookNode, known: dict[str, NotebookNode]) -> list[str]:
    notes = []
    for cell in notebook.cells:
        cell.metadata.pop("tags", None)
        name = grade_id(cell)
        if name in known:
            cell.metadata["nbgrader"] = copy.deepcopy(known[name].metadata["nbgrader"])
            if cell.cell_type != known[name].cell_type:
                _change_type(cell, known[name].cell_type)
            if labs.kind(known[name]) in ("test", "locked") and _differs(cell.source, known[name].source):
                notes.append(f"cell {name!r} was edited: the lab's own text was used")
        elif "nbgrader" in cell.metadata:
            del cell.metadata["nbgrader"]
            if name:
                notes.append(f"cell {name!r} is not a cell of this lab: it is run, but not graded")
    return notes


def _differs(submitted: str, master: str) -> bool:
    hidden = labs.hidden_lines(master)
    public = [line for number, line in enumerate(master.split("\n"), 1) if number not in hidden]
    return "\n".join(public).split() != submitted.split()


def _change_type(cell: NotebookNode, cell_type: str) -> None:
    cell.cell_type = cell_type
    for key in ("outputs", "execution_count", "attachments"):
        cell.pop(key, None)
    if cell_type == "code":
        cell.outputs, cell.execution_count = [], None


def _put_back(notebook: NotebookNode, master: NotebookNode) -> list[str]:
    back, gone = [], []
    place = 0  # where the next missing cell goes
    for wanted in master.cells:
        name = grade_id(wanted)
        if not name:
            continue
        here = next((i for i, cell in enumerate(notebook.cells) if grade_id(cell) == name), None)
        if here is not None:
            place = here + 1
        elif labs.kind(wanted) in ("test", "essay", "locked"):
            notebook.cells.insert(place, copy.deepcopy(wanted))
            place += 1
            back.append(name)
        elif labs.kind(wanted) == "answer":
            gone.append(name)
    notes = [f"missing and put back: {', '.join(back)}"] if back else []
    return notes + ([f"missing answers: {', '.join(gone)}"] if gone else [])
