"""Small notebooks for the tests of the sandbox, and what their cells showed."""

from __future__ import annotations

from nbformat import NotebookNode, v4


def notebook(*sources: str) -> NotebookNode:
    """Cells; one whose text begins with "# test" is a test cell."""
    cells = [v4.new_code_cell(source) for source in sources]
    for cell in cells:
        if cell.source.startswith("# test"):
            cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": 1}
    return v4.new_notebook(cells=cells)


def shown(cell: NotebookNode) -> str:
    """All that a cell showed, as one text."""
    return "".join(str(output.get("text") or output.get("data") or output.get("evalue")) for output in cell.outputs)
