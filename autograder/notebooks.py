"""The canonical form of a notebook: one notebook, one sequence of bytes.

What it does: empties outputs and execution counts, gives every cell a stable id (its ``grade_id``, else a hash of its
text), fixes the notebook's metadata, keeps only the cell metadata that the course uses, and writes sorted keys with
indent 1 and one newline at the end. A diff then shows what an author changed and nothing else.

What it does not: check a lab's content (see ``release.py``) or mend a learner's file (see ``repair.py``).

    python -m autograder.notebooks --check source release     # names each file that differs; exit code 1
    python -m autograder.notebooks --fix source/01_x/01_x.ipynb
"""

from __future__ import annotations

import argparse
import codecs
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import shape

NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
#: Everything else (collapsed, scrolled, execution times, Colab's and VS Code's own keys) is an editor's private matter.
CELL_METADATA = ("cellView", "deletable", "editable", "jupyter", "nbgrader", "syncpoint", "tags")
_VALID_ID = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


class UnreadableNotebook(ValueError):
    """The file is no notebook. The message says, in plain words, why."""


def grade_id(cell: NotebookNode) -> str | None:
    """The name that nbgrader gave this cell, if it has one."""
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def parse(data: bytes) -> NotebookNode:
    """Bytes to a notebook of format 4.5; raises UnreadableNotebook with a reason that a learner understands."""
    return parse_with_notes(data)[0]


def parse_with_notes(data: bytes) -> tuple[NotebookNode, list[str]]:
    """As `parse`, with what was left out or guessed because the file's shape was not sound (`shape.py`)."""
    if not data.strip():
        raise UnreadableNotebook("the file is empty")
    try:
        return shape.from_text(_decoded(data))
    except UnicodeDecodeError as error:
        raise UnreadableNotebook(f"the file is not UTF-8 text: byte {error.start} cannot be read") from error
    except ValueError as error:
        raise UnreadableNotebook(str(error)) from error


def _decoded(data: bytes) -> str:
    """UTF-8 with or without a byte order mark; UTF-16 with one, as PowerShell writes it."""
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if utf16 else "utf-8-sig")


def read(path: Path) -> NotebookNode:
    """Read a notebook file; see `parse`."""
    return parse(path.read_bytes())


def canonical(notebook: NotebookNode) -> NotebookNode:
    """A copy in canonical form. Raises ValueError where a grade_id is used twice: no rule could choose one."""
    cells = [_canonical_cell(cell) for cell in notebook.cells]
    for cell, cell_id in zip(cells, _cell_ids(cells), strict=True):
        cell["id"] = cell_id
    metadata = {**NOTEBOOK_METADATA, **{k: v for k, v in notebook.metadata.items() if k == "syncpoint"}}
    return nbformat.from_dict({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def _canonical_cell(cell: NotebookNode) -> dict[str, object]:
    metadata = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
    source = cell.source.replace("\r\n", "\n").rstrip("\n")
    plain: dict[str, object] = {"cell_type": cell.cell_type, "metadata": metadata, "source": source}
    if cell.cell_type == "code":
        plain |= {"execution_count": None, "outputs": []}
    elif cell.get("attachments"):
        plain["attachments"] = cell.attachments
    return plain


def _cell_ids(cells: list[dict[str, object]]) -> list[str]:
    """A cell's grade_id where that is a valid id, else a hash of its text; a repeated text gets a running number."""
    wanted = []
    for cell in cells:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")  # type: ignore[attr-defined]
        text = f"{cell['cell_type']}\n{cell['source']}"
        by_text = "c" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:11]
        wanted.append(name if name and _VALID_ID.match(name) else by_text)
    doubles = [name for name, count in Counter(filter(None, map(_name, cells))).items() if count > 1]
    if doubles:
        raise ValueError(f"grade_id {doubles[0]!r} is used by more than one cell: rename one of them")
    seen: Counter[str] = Counter()
    ids = []
    for name in wanted:
        seen[name] += 1
        ids.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return ids


def _name(cell: dict[str, object]) -> str | None:
    name = cell["metadata"].get("nbgrader", {}).get("grade_id")  # type: ignore[attr-defined]
    return name if isinstance(name, str) else None


def dumps(notebook: NotebookNode) -> str:
    """The text of a notebook as it stands in the repository: sorted keys, indent 1, one newline at the end."""
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def canonical_text(text: str) -> str:
    """The canonical text of a notebook's text."""
    return dumps(canonical(parse(text.encode("utf-8"))))


def find(paths: Iterable[Path]) -> list[Path]:
    """All notebooks in these files and folders, checkpoints left out. A path that does not exist is an error."""
    found: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"no such file or folder: {path}")
        inside = path.rglob("*.ipynb") if path.is_dir() else [path]
        found |= {p for p in inside if ".ipynb_checkpoints" not in p.parts}
    return sorted(found)


def check(path: Path, fix: bool = False) -> str | None:
    """What is wrong with this file's form, or None. With `fix`, write the canonical form first."""
    try:
        text = path.read_bytes().decode("utf-8")
        wanted = canonical_text(text)
    except (ValueError, UnicodeDecodeError) as error:
        return str(error)
    if text == wanted:
        return None
    if fix:
        path.write_text(wanted, encoding="utf-8", newline="\n")
        return None
    return f"not in canonical form: run `python -m autograder.notebooks --fix {path}`"


def main(argv: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m autograder.notebooks", description="Canonical form of notebooks.")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--check", action="store_true", help="name the notebooks that are not in canonical form")
    how.add_argument("--fix", action="store_true", help="write the canonical form")
    parser.add_argument("paths", nargs="+", type=Path, help="notebooks, or folders of notebooks")
    args = parser.parse_args(argv)
    try:
        paths = find(args.paths)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    problems = [(path, problem) for path in paths if (problem := check(path, fix=args.fix))]
    for path, problem in problems:
        print(f"{path}: {problem}", file=sys.stderr)
    print(f"{len(paths)} notebooks, {len(problems)} with problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
