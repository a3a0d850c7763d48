"""A submission as it will be run: repaired, with the lab's own tests in it, and nothing that was shown before."""

from __future__ import annotations

import copy

from nbformat import NotebookNode

from autograder import labs, repair
from autograder.notebooks import grade_id


def prepare(submission: NotebookNode, master: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The notebook to run, and what was mended for it. `master`: stubs, and all tests with the hidden ones."""
    notebook, notes = repair.repair(submission, master)
    own = {name: cell for cell in master.cells if (name := grade_id(cell))}
    for cell in notebook.cells:
        wanted = own.get(grade_id(cell) or "")
        if wanted is not None and (wanted.metadata.nbgrader.get("locked") or labs.kind(wanted) == "test"):
            cell.source = wanted.source
    notebook.metadata["kernelspec"] = copy.deepcopy(master.metadata.get("kernelspec", {}))
    return notebook, notes
