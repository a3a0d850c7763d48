"""Any JSON becomes a notebook of sound shape, or a reason in words why there is none in it."""

from __future__ import annotations

import json
from typing import Any

import nbformat
import pytest

from autograder import notebooks, shape


def made(*cells: Any, **rest: Any) -> tuple[nbformat.NotebookNode, list[str]]:
    data = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | rest
    notebook, notes = notebooks.parse_with_notes(json.dumps(data).encode("utf-8"))
    nbformat.validate(notebook)
    json.dumps(notebook, ensure_ascii=False).encode("utf-8")
    return notebook, notes


@pytest.mark.parametrize(
    ("entry", "kind", "source", "note"),
    [
        ({"cell_type": "code", "source": "1"}, "code", "1", ""),
        ({"cell_type": "code", "source": ["a\n", "b"]}, "code", "a\nb", ""),
        ({"cell_type": "markdown", "source": "x", "outputs": [1]}, "markdown", "x", ""),
        ({"source": "1", "outputs": []}, "code", "1", "cell 1 of the notebook has no known type: read as code"),
        ({"cell_type": "heading", "source": "A"}, "markdown", "A", "has no known type: read as markdown"),
        ({"cell_type": ["code"], "source": "A"}, "markdown", "A", "has no known type: read as markdown"),
        ({"cell_type": "code", "source": 7}, "code", "", "the text of cell 1 of the notebook is not text"),
        ({"cell_type": "code", "source": ["a", None]}, "code", "", "the text of cell 1 of the notebook is not text"),
        ({"cell_type": "code"}, "code", "", ""),
    ],
)
def test_cells_of_all_shapes(entry: dict[str, Any], kind: str, source: str, note: str) -> None:
    notebook, notes = made(entry)
    (cell,) = notebook.cells
    assert (cell.cell_type, cell.source) == (kind, source)
    assert note in "; ".join(notes)
    assert bool(notes) == bool(note)


def test_what_is_no_cell_is_left_out_and_told() -> None:
    notebook, notes = made("text", None, {"cell_type": "code", "source": "1"}, [3])
    assert [c.source for c in notebook.cells] == ["1"]
    assert notes == [f"entry {n} of the notebook is no cell: left out" for n in (1, 2, 4)]


@pytest.mark.parametrize(
    "metadata",
    [None, 3, [], "x", {"nbgrader": "x", "tags": "skip-execution", "syncpoint": 1, "jupyter": [], "id": 3}]
    + [{"nbgrader": {"grade_id": ["double"], "points": {"x": 1}}, "tags": [1, None], "deletable": "no"}],
)
def test_metadata_of_wrong_types_is_dropped(metadata: Any) -> None:
    notebook, _ = made({"cell_type": "code", "source": "1", "metadata": metadata})
    about = notebook.cells[0].metadata
    assert notebooks.grade_id(notebook.cells[0]) is None
    assert not set(about) - {"nbgrader", "tags", "syncpoint", "jupyter"}
    assert about.get("tags", []) == []


def test_ids_are_valid_and_there_once() -> None:
    cells = [{"id": key, "cell_type": "code", "source": ""} for key in ("a", "a", "not valid!", 3, None, "cell-2")]
    notebook, _ = made(*cells)
    assert [c.id for c in notebook.cells] == ["a", "cell-2-2", "cell-3", "cell-4", "cell-5", "cell-2"]


def test_only_sound_outputs_stay() -> None:
    good = {"output_type": "stream", "name": "stdout", "text": ["a\n", "b"]}
    bad = [None, {}, {"output_type": "stream"}, {"output_type": ["stream"]}, {**good, "text": [3]}]
    bad.append({"output_type": "error", "ename": "E", "evalue": "", "traceback": [1]})
    deep: Any = 0
    for _ in range(200):
        deep = [deep]
    bad.append({"output_type": "display_data", "data": {"application/json": deep}, "metadata": {}})
    notebook, _ = made({"cell_type": "code", "source": "1", "outputs": [*bad, good], "execution_count": True})
    assert notebook.cells[0].outputs == [{"output_type": "stream", "name": "stdout", "text": "a\nb"}]
    assert notebook.cells[0].execution_count is None


def test_half_characters_can_be_written() -> None:
    notebook, _ = made({"cell_type": "code", "source": "x = '\ud83d'  # \U0001f600", "metadata": {"id": "\udc00"}})
    assert notebook.cells[0].source == "x = '?'  # \U0001f600"


def test_notebooks_of_format_3_are_read() -> None:
    cells = [{"cell_type": "code", "input": "x = 1", "language": "python", "outputs": [], "collapsed": False}]
    old = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}
    assert notebooks.parse(json.dumps(old).encode()).cells[0].source == "x = 1"


@pytest.mark.parametrize(
    "old", [{"worksheets": 3, "nbformat": 3}, {"worksheets": [], "nbformat": "x"}, {"worksheets": [{"cells": [3]}]}]
)
def test_broken_notebooks_of_format_3_are_no_traceback(old: dict[str, Any]) -> None:
    with pytest.raises(notebooks.UnreadableNotebook, match="not a notebook"):
        notebooks.parse(json.dumps(old).encode())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 100_000, "the file is damaged, it is nested too deeply"),
        (b'{"cells": {}}', "it has no list of cells"),
        (b'{"cells": null, "nbformat": 4}', "it has no list of cells"),
        (b"\x00\x01\x02", "not valid JSON"),
        (b"PK\x03\x04", "not valid JSON"),
        (b"\x89PNG\r\n", "byte 0 cannot be read"),
        (b"\xff\xfe{", "cannot be read"),
    ],
)
def test_what_cannot_be_read_has_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(notebooks.UnreadableNotebook, match=reason) as caught:
        notebooks.parse(data)
    assert "\n" not in str(caught.value)


def test_powershells_utf16_is_read() -> None:
    text = json.dumps({"cells": [{"cell_type": "code", "source": "'é'"}]}, ensure_ascii=False)
    assert notebooks.parse(text.encode("utf-16")).cells[0].source == "'é'"


@pytest.mark.parametrize("minor", [0, 4, 5, 99, "5", None])
def test_the_version_is_no_obstacle(minor: Any) -> None:
    notebook, _ = made({"cell_type": "code", "source": "1"}, nbformat_minor=minor)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)


def test_a_free_id_is_taken_afterwards() -> None:
    seen = {"a"}
    assert [shape.free_id("a", seen), shape.free_id("a", seen), shape.free_id("b", seen)] == ["a-2", "a-3", "b"]
