"""Example submissions, written as edits of a release: they follow a lab when its text changes.

A class is a folder of TOML files, one a student:

    about = "right, but reads the loss in every step"

    [03_mnist_cnn]                  # one table for each lab handed in
    start = "reference"             # the lab's own solutions; "release" (the default) is the untouched notebook
    delete = ["test_shape"]         # and all other edits of example_edits.py
    text = "{"                      # instead of all others: the file is this text

    [03_mnist_cnn.cells]            # the learner's own text of a cell, by grade_id
    train = '''
    def train(model): ...
    '''

    >>> [s.name for s in read_class(BUNDLED)][:2]            # doctest: +SKIP
    ['ada', 'ben']
"""

from __future__ import annotations

import copy
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder import example_edits, labs
from autograder.example_edits import place
from autograder.notebooks import grade_id

BUNDLED = Path(__file__).parent / "example_students"
_EDITS = {"start", "text", "cells", *example_edits.OF_CELLS, *example_edits.OF_FILES}


@dataclass(frozen=True)
class Student:
    """One student of the class: what kind of learner, and the edits by lab."""

    name: str
    about: str
    edits: dict[str, dict[str, Any]]


def read_class(folder: Path) -> list[Student]:
    """All students of a class, by name. ValueError names a file with an edit that does not exist."""
    students = []
    for path in sorted(folder.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        about = data.pop("about")
        for lab, edits in data.items():
            if unknown := set(edits) - _EDITS:
                raise ValueError(f"{path}: {lab} has no edit {sorted(unknown)[0]!r}; there are {sorted(_EDITS)}")
        students.append(Student(path.stem, about, data))
    return students


def submission(edits: dict[str, Any], release: NotebookNode, source: NotebookNode) -> bytes:
    """The file that a student hands in. KeyError names a cell that the lab does not have."""
    if "text" in edits:
        return str(edits["text"]).encode("utf-8")
    notebook = copy.deepcopy(release)
    if edits.get("start", "release") == "reference":
        _fill_in(notebook, source)
    for name, text in edits.get("cells", {}).items():
        notebook.cells[place(notebook, name)].source = text.strip("\n")
    example_edits.edit(notebook, edits, release)
    return example_edits.as_file(notebook, edits)


def files(lab: str, edits: dict[str, Any], release: NotebookNode, source: NotebookNode) -> dict[str, bytes]:
    """All files that a student hands in, by name."""
    beside = {name: text.encode("utf-8") for name, text in edits.get("beside", {}).items()}
    return {edits.get("file", f"{lab}.ipynb"): submission(edits, release, source), **beside}


def _fill_in(notebook: NotebookNode, source: NotebookNode) -> None:
    """The lab's own solutions in place of the stubs."""
    for cell in source.cells:
        if labs.kind(cell) in ("answer", "essay"):
            notebook.cells[place(notebook, str(grade_id(cell)))].source = labs.without_markers(cell.source)
