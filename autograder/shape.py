"""A notebook of sound shape from whatever JSON a file holds, so that later steps may trust its types.

Editors, converters and people leave cells without a source, sources that are lists, ids that are there twice, metadata
that is a string. Here each of them becomes a cell of notebook format 4.5. What was left out or guessed is noted in
plain words. Metadata that the course does not use is dropped: it is an editor's private matter, and may be anything.

What it does not: know the lab. Which cell is which is `repair`'s matter.

    >>> made, notes = sound({"cells": [{"source": ["x = ", "1"], "outputs": None}, 7], "nbformat": 4})
    >>> made.cells[0].cell_type, made.cells[0].source, notes
    ('code', 'x = 1', ['entry 2 of the notebook is no cell: left out'])
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4.rwbase import rejoin_lines

TYPES = ("code", "markdown", "raw")
DEEPEST = 60  # levels of nesting; Python itself gives up at about a thousand
_VALID_ID = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # in JSON text: half of a character, or a whole one in two halves
_NEEDED: dict[str, dict[str, Any]] = {
    "stream": {"name": str, "text": (str, list)},
    "error": {"ename": str, "evalue": str, "traceback": list},
    "display_data": {"data": dict, "metadata": dict},
    "execute_result": {"data": dict, "metadata": dict},
}


def from_text(text: str) -> tuple[NotebookNode, list[str]]:
    """JSON text to a notebook and notes. ValueError, with the reason in words, if there is no notebook in it."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("the file is damaged, it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"the file is damaged, it is not valid JSON: {error}") from None
    if _SURROGATE.search(text):
        data = _without_halves(data, DEEPEST)
    if isinstance(data, dict) and "cells" not in data and "worksheets" in data:
        data = _upgraded(data)
    return sound(data)


def sound(data: Any) -> tuple[NotebookNode, list[str]]:
    """A notebook of format 4.5 and notes. ValueError if this is no notebook."""
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise ValueError("the file is not a notebook: it has no list of cells")
    notes: list[str] = []
    cells = []
    for position, entry in enumerate(data["cells"], 1):
        if isinstance(entry, dict):
            cells.append(_cell(entry, position, notes))
        else:
            notes.append(f"entry {position} of the notebook is no cell: left out")
    _number(cells)
    metadata = data["metadata"] if isinstance(data.get("metadata"), dict) else {}
    kept = {key: _flat(metadata[key]) for key in ("kernelspec", "language_info", "syncpoint") if key in metadata}
    whole = {"cells": cells, "metadata": kept, "nbformat": 4, "nbformat_minor": 5}
    return rejoin_lines(nbformat.from_dict(whole)), notes


def _upgraded(data: dict[str, Any]) -> Any:
    """A notebook of format 3 or older, which nbformat knows how to read."""
    try:
        return nbformat.convert(nbformat.from_dict(data), 4)
    except Exception as error:  # nbformat raises whatever its old code happens to raise
        raise ValueError(f"the file is not a notebook: {error}".splitlines()[0]) from error


def _cell(entry: dict[str, Any], position: int, notes: list[str]) -> dict[str, Any]:
    kind = entry.get("cell_type")
    if kind not in TYPES:
        guessed = "code" if "outputs" in entry or "execution_count" in entry else "markdown"
        notes.append(f"cell {position} of the notebook has no known type: read as {guessed}")
        kind = guessed
    source = _text(entry.get("source", ""))
    if source is None:
        notes.append(f"the text of cell {position} of the notebook is not text: read as empty")
    cell = {"id": entry.get("id"), "cell_type": kind, "source": source or "", "metadata": _metadata(entry)}
    if kind == "code":
        cell |= {"execution_count": _count(entry), "outputs": _outputs(entry.get("outputs"))}
    elif attachments := _attachments(entry.get("attachments")):
        cell["attachments"] = attachments
    return cell


def _text(source: Any) -> str | None:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return None


def _metadata(entry: dict[str, Any]) -> dict[str, Any]:
    """What the course uses of a cell's metadata, of the right types."""
    about = entry.get("metadata")
    if not isinstance(about, dict):
        return {}
    kept: dict[str, Any] = {key: about[key] for key in ("deletable", "editable") if isinstance(about.get(key), bool)}
    kept |= {key: about[key] for key in ("cellView", "id") if isinstance(about.get(key), str)}
    kept |= {key: _flat(about[key]) for key in ("jupyter", "syncpoint") if isinstance(about.get(key), dict)}
    if isinstance(about.get("nbgrader"), dict):
        kept["nbgrader"] = _flat(about["nbgrader"])
        if not isinstance(kept["nbgrader"].get("grade_id", ""), str):
            del kept["nbgrader"]["grade_id"]
    if isinstance(about.get("tags"), list):
        kept["tags"] = sorted({tag for tag in about["tags"] if isinstance(tag, str)})
    return kept


def _flat(value: Any) -> dict[str, Any]:
    """The plain entries of a dictionary: text, numbers, yes and no."""
    if not isinstance(value, dict):
        return {}
    return {k: v for k, v in value.items() if isinstance(v, str | bool | int) or v is None or _finite(v)}


def _finite(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _outputs(entries: Any) -> list[dict[str, Any]]:
    """The outputs that are sound, with what belongs to them."""
    made = []
    for entry in entries if isinstance(entries, list) else []:
        if _is_output(entry):
            kind = entry["output_type"]
            output = {"output_type": kind} | {key: entry[key] for key in _NEEDED[kind]}
            if kind == "execute_result":
                output["execution_count"] = _count(entry)
            made.append(output)
    return made


def _is_output(output: Any) -> bool:
    if not isinstance(output, dict) or not isinstance(output.get("output_type"), str):
        return False
    needed = _NEEDED.get(output["output_type"])
    if needed is None or not all(isinstance(output.get(key), kinds) for key, kinds in needed.items()):
        return False
    texts = [output.get("text", "")]
    texts += [value for mime, value in output.get("data", {}).items() if "json" not in mime]
    return all(_text(t) is not None for t in [*texts, *output.get("traceback", [])]) and _shallow(output, DEEPEST)


def _count(entry: dict[str, Any]) -> int | None:
    count = entry.get("execution_count")
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def _shallow(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inside = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_shallow(each, levels - 1) for each in inside)


def _attachments(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    return {
        name: bundle
        for name, bundle in value.items()
        if isinstance(bundle, dict) and all(_text(part) is not None for part in bundle.values())
    }


def _number(cells: list[dict[str, Any]]) -> None:
    """Every cell has an id, and no two have the same. A valid id stays with the first cell that has it."""
    seen: set[str] = set()
    for cell in cells:
        if not isinstance(cell["id"], str) or not _VALID_ID.match(cell["id"]) or cell["id"] in seen:
            cell["id"] = None
        else:
            seen.add(cell["id"])
    for position, cell in enumerate(cells, 1):
        if cell["id"] is None:
            cell["id"] = free_id(f"cell-{position}", seen)


def free_id(wanted: str, seen: set[str]) -> str:
    """The wanted id, with a number behind it if it is taken. It is taken afterwards."""
    number, made = 1, wanted
    while made in seen:
        number += 1
        made = f"{wanted}-{number}"
    seen.add(made)
    return made


def _without_halves(value: Any, levels: int) -> Any:
    """Half characters (lone surrogates), which cannot be written as UTF-8, become question marks."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if levels > 0 and isinstance(value, list):
        return [_without_halves(each, levels - 1) for each in value]
    if levels > 0 and isinstance(value, dict):
        return {_without_halves(k, 0): _without_halves(v, levels - 1) for k, v in value.items()}
    return None if isinstance(value, list | dict) else value
