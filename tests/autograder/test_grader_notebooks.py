"""The canonical form of notebooks: one notebook, one sequence of bytes; and files that are no notebooks."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4
from tiny_lab import tiny_notebook

from autograder import notebooks


def messy() -> NotebookNode:
    """The tiny notebook as an editor would have left it."""
    notebook = tiny_notebook()
    notebook.metadata = NotebookNode({"colab": {"name": "x"}, "kernelspec": {"name": "my-venv"}, "celltoolbar": "Tags"})
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"random-{number}"
        cell.metadata |= {"collapsed": False, "id": "colab-id", "vscode": {"languageId": "python"}}
        cell.source += "\n\n"
        if cell.cell_type == "code":
            cell.execution_count = number
            cell.outputs = [v4.new_output("stream", text="left over")]
    return notebook


def test_an_editors_traces_go() -> None:
    assert notebooks.dumps(notebooks.canonical(messy())) == notebooks.dumps(tiny_notebook())


def test_canonical_form_is_stable() -> None:
    text = notebooks.dumps(tiny_notebook())
    assert notebooks.canonical_text(text) == text
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


def test_the_original_is_left_alone() -> None:
    notebook = messy()
    before = copy.deepcopy(notebook)
    notebooks.canonical(notebook)
    assert notebook == before


def test_ids_come_from_names_and_texts() -> None:
    cells = [v4.new_markdown_cell(text) for text in ("same", "same", "other")]
    cells.append(v4.new_code_cell("1", metadata={"nbgrader": {"grade_id": "named"}}))
    ids = [cell.id for cell in notebooks.canonical(v4.new_notebook(cells=cells)).cells]
    assert ids[1] == f"{ids[0]}-2"
    assert ids[3] == "named"
    assert len(set(ids)) == 4
    shorter = [cell.id for cell in notebooks.canonical(v4.new_notebook(cells=cells[2:])).cells]
    assert shorter == ids[2:]  # a cell above changes no id below


def test_what_the_course_uses_is_kept() -> None:
    cell = v4.new_code_cell("1", metadata={"syncpoint": {"task": "3.2"}, "tags": ["x"], "cellView": "form", "odd": 1})
    (kept,) = notebooks.canonical(v4.new_notebook(cells=[cell])).cells
    assert kept.metadata == {"syncpoint": {"task": "3.2"}, "tags": ["x"], "cellView": "form"}


def test_a_grade_id_used_twice_has_no_canonical_form() -> None:
    twins = [v4.new_code_cell(text, metadata={"nbgrader": {"grade_id": "twin"}}) for text in "12"]
    with pytest.raises(ValueError, match="'twin' is used by more than one cell"):
        notebooks.canonical(v4.new_notebook(cells=twins))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        ('{"cells": ["é"]}'.encode("latin-1"), "not UTF-8 text: byte 12 "),
        (b'{"cells": [', "not valid JSON"),
        (b"[1, 2]", "not a notebook"),
        (b"{}", "not a notebook"),
        (b'"text"', "not a notebook"),
    ],
)
def test_files_that_are_no_notebooks(data: bytes, reason: str) -> None:
    with pytest.raises(notebooks.UnreadableNotebook, match=reason) as caught:
        notebooks.parse(data)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_is_no_fault() -> None:
    text = notebooks.dumps(tiny_notebook())
    assert notebooks.parse(b"\xef\xbb\xbf" + text.encode()) == tiny_notebook()


def test_colabs_shape_is_read() -> None:
    """nbformat_minor 0, no ids, ids in the metadata instead."""
    plain = json.loads(notebooks.dumps(tiny_notebook()))
    plain["nbformat_minor"] = 0
    plain["metadata"] = {"colab": {"provenance": []}}
    for number, cell in enumerate(plain["cells"]):
        del cell["id"]
        cell["metadata"]["id"] = f"c{number}"
    read = notebooks.parse(json.dumps(plain).encode())
    assert notebooks.dumps(notebooks.canonical(read)) == notebooks.dumps(tiny_notebook())


def test_check_and_fix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lab" / "lab.ipynb"
    path.parent.mkdir()
    path.write_text(notebooks.dumps(messy()), encoding="utf-8")
    aside = tmp_path / ".ipynb_checkpoints" / "lab.ipynb"
    aside.parent.mkdir()
    aside.write_text("junk", encoding="utf-8")

    assert notebooks.main(["--check", str(tmp_path)]) == 1
    assert f"python -m autograder.notebooks --fix {path}" in capsys.readouterr().err
    assert notebooks.main(["--fix", str(tmp_path)]) == 0
    assert notebooks.main(["--check", str(tmp_path)]) == 0
    assert path.read_bytes() == notebooks.dumps(tiny_notebook()).encode()
    assert notebooks.main(["--check", str(tmp_path / "nowhere")]) == 2
