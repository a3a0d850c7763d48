"""What editors, downloads and people do to a notebook, as edits of a well-formed one. `example_class` reads them.

| edit | does |
|---|---|
| ``delete``, ``duplicate``, ``stub_copy`` | cells that are missing, there twice, or once more as they came |
| ``trim`` | all cells are gone that no graded cell needs |
| ``first``, ``last`` | cells moved to the top, to the bottom |
| ``below`` | own cells below a cell: ``{name = "code"}`` |
| ``rename`` | cells under another name: ``{old = "new"}`` |
| ``marking``, ``tags``, ``kind`` | forged points and flags, tags, cell types, by name |
| ``unnamed`` | ``true``: all cells lose their metadata and ids; or the names of those that do |
| ``without`` | cells without a name that are gone, by a part of their text |
| ``printed_kb`` | so much printed text in the first output |
| ``editor`` | the shape that "colab" or "vscode" saves |
| ``encoding``, ``keep_bytes`` | the file's encoding, and how many of its bytes are there |
| ``file``, ``beside`` | the file's name; other files handed in with it |
"""

from __future__ import annotations

import copy
import json
from typing import Any

from nbformat import NotebookNode, v4

from autograder import notebooks
from autograder.notebooks import grade_id
from autograder.repair import imports

OF_CELLS = ("trim", "delete", "duplicate", "stub_copy", "first", "last", "below", "rename", "marking", "tags", "kind",
            "unnamed", "without", "printed_kb")  # fmt: skip
OF_FILES = ("editor", "encoding", "keep_bytes", "file", "beside")


def place(notebook: NotebookNode, name: str) -> int:
    """Where a cell stands. KeyError if the lab does not have it."""
    for index, cell in enumerate(notebook.cells):
        if grade_id(cell) == name:
            return index
    raise KeyError(f"an example student edits the cell {name!r}, which the lab does not have")


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    """The cell of this name."""
    found: NotebookNode = notebook.cells[place(notebook, name)]
    return found


def edit(notebook: NotebookNode, edits: dict[str, Any], release: NotebookNode) -> None:
    """Change a notebook. The order of the edits is that of `OF_CELLS`, but names go last: the others need them."""
    if edits.get("trim"):
        _trim(notebook)
    stubs = {name: copy.deepcopy(cell(release, name)) for name in edits.get("stub_copy", [])}
    for name in edits.get("duplicate", []):
        _paste_below(notebook, name, copy.deepcopy(cell(notebook, name)), f"{name}-copy")
    for name, stub in stubs.items():
        _paste_below(notebook, name, stub, f"{name}-stub")
    for name in edits.get("delete", []):
        del notebook.cells[place(notebook, name)]
    for text in edits.get("without", []):
        _without(notebook, text)
    for name, source in edits.get("below", {}).items():
        notebook.cells.insert(place(notebook, name) + 1, v4.new_code_cell(source.strip("\n"), id=f"own-{name}"))
    for name in edits.get("first", []):
        notebook.cells.insert(0, notebook.cells.pop(place(notebook, name)))
    for name in edits.get("last", []):
        notebook.cells.append(notebook.cells.pop(place(notebook, name)))
    if kilobytes := edits.get("printed_kb"):
        code = next(each for each in notebook.cells if each.cell_type == "code")
        code.outputs = [v4.new_output("stream", text="x" * 1000 * kilobytes)]
    _forge(notebook, edits)


def _trim(notebook: NotebookNode) -> None:
    named = [each for each in notebook.cells if grade_id(each)]
    unnamed = [index for index, each in enumerate(notebook.cells) if not grade_id(each)]
    needed = imports.needed(notebook.cells, unnamed, named)
    notebook.cells = [each for index, each in enumerate(notebook.cells) if grade_id(each) or index in needed]


def _paste_below(notebook: NotebookNode, name: str, pasted: NotebookNode, cell_id: str) -> None:
    pasted["id"] = cell_id
    notebook.cells.insert(place(notebook, name) + 1, pasted)


def _without(notebook: NotebookNode, text: str) -> None:
    kept = [each for each in notebook.cells if grade_id(each) or text not in each.source]
    if len(kept) == len(notebook.cells):
        raise KeyError(f"an example student deletes the cell with {text!r}, which the lab does not have")
    notebook.cells = kept


def _forge(notebook: NotebookNode, edits: dict[str, Any]) -> None:
    for name, entries in edits.get("marking", {}).items():
        cell(notebook, name).metadata.nbgrader |= entries
    for name, tags in edits.get("tags", {}).items():
        cell(notebook, name).metadata["tags"] = tags
    for name, kind in edits.get("kind", {}).items():
        _change_kind(cell(notebook, name), kind)
    renamed = [(cell(notebook, old), new) for old, new in edits.get("rename", {}).items()]
    for each, new in renamed:
        each.metadata.nbgrader.grade_id = new
    lost = edits.get("unnamed", [])
    for number, each in enumerate(notebook.cells):
        if lost is True or (lost and grade_id(each) in lost):
            each.metadata, each["id"] = NotebookNode(), f"new-{number}"


def _change_kind(each: NotebookNode, kind: str) -> None:
    each.cell_type = kind
    for key in ("outputs", "execution_count"):
        each.pop(key, None)


def as_file(notebook: NotebookNode, edits: dict[str, Any]) -> bytes:
    """The bytes that the editor and the download leave."""
    if editor := edits.get("editor"):
        text = json.dumps({"colab": _colab, "vscode": _vs_code}[editor](notebook), indent=2)
    else:
        text = notebooks.dumps(notebook)
    if edits.get("encoding") == "latin-1":
        text = text.encode("latin-1", "replace").decode("latin-1").replace('"cells"', '"caf\u00e9": 1, "cells"', 1)
    data = text.encode(edits.get("encoding", "utf-8"))
    return data[: edits.get("keep_bytes", len(data))]


def _colab(notebook: NotebookNode) -> dict[str, Any]:
    """nbformat_minor 0, no ids, an id in the metadata instead; "not deletable" is dropped."""
    made = _plain(notebook, 0, {"colab": {"provenance": []}, "accelerator": "GPU"})
    for number, each in enumerate(made["cells"]):
        about = {k: v for k, v in each["metadata"].items() if k not in ("deletable", "editable")}
        each["metadata"] = about | {"id": f"aB3_{number:03}", "colab": {"base_uri": "https://localhost:8080/"}}
    return made


def _vs_code(notebook: NotebookNode) -> dict[str, Any]:
    """nbformat_minor 2, no ids, the kernel of a virtual environment."""
    kernel = {"display_name": ".venv (3.12)", "language": "python", "name": "my-venv-kernel"}
    made = _plain(notebook, 2, {"kernelspec": kernel})
    for each in made["cells"]:
        each["metadata"]["vscode"] = {"languageId": "python"}
    return made


def _plain(notebook: NotebookNode, minor: int, metadata: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(notebooks.dumps(notebook)) | {"nbformat_minor": minor, "metadata": metadata}
    for each in made["cells"]:
        del each["id"]
        each["source"] = each["source"] if isinstance(each["source"], list) else each["source"].splitlines(True)
    return made
