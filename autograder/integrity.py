"""What the trusted side makes of an answer from the sandbox: nothing in it is believed before it has the right form.

Also the words for what looks like a trick. A trick that was neutralised and one that was only noticed are both told to
the instructor, never to the class; points are not taken for them by a machine.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from nbformat import NotebookNode, v4

from autograder import labs, notebooks, reading
from autograder.kernels import CellRun

_MOST_TOLD = 20
_MOST_METADATA = 2000  # characters of an output's metadata


def outputs(answer: dict[str, Any]) -> list[NotebookNode]:
    """The outputs as a notebook holds them; what has another form is left out."""
    found = answer.get("outputs")
    return [made for output in found if (made := _output(output))] if isinstance(found, list) else []


def _output(output: Any) -> NotebookNode | None:
    if not isinstance(output, dict):
        return None
    kind = output.get("output_type")
    if kind == "stream" and output.get("name") in ("stdout", "stderr"):
        return v4.new_output("stream", name=output["name"], text=str(output.get("text", "")))
    if kind == "error":
        lines = output.get("traceback")
        traceback = [str(line) for line in lines] if isinstance(lines, list) else []
        name, words = str(output.get("ename", "")), str(output.get("evalue", ""))
        return v4.new_output("error", ename=name, evalue=words, traceback=traceback)
    if kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict):
        made = v4.new_output(kind, data=_data(output["data"]), metadata=_metadata(output.get("metadata")))
        if kind == "execute_result":
            count = output.get("execution_count")
            made.execution_count = count if isinstance(count, int) else None
        return made
    return None


def _metadata(metadata: Any) -> dict[str, Any]:
    """A picture's size, and the like; nobody needs more than a few words there."""
    return metadata if isinstance(metadata, dict) and len(json.dumps(metadata)) < _MOST_METADATA else {}


def _data(data: dict[str, Any]) -> dict[str, Any]:
    """Text types are text; only JSON types may hold more."""
    return {key: value if isinstance(value, str) or key.endswith("json") else str(value) for key, value in data.items()}


def tricks(answer: dict[str, Any]) -> list[str]:
    """What the sandbox itself noticed, in words."""
    found = [*_texts(answer.get("tricks")), *_texts(answer.get("noticed"))]
    return list(dict.fromkeys(found))[:_MOST_TOLD]


def _texts(found: Any) -> list[str]:
    return [text[:200] for text in found if isinstance(text, str)] if isinstance(found, list) else []


def traces(answer: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """The summaries of `sp.trace()` blocks, for reports only."""
    found = answer.get("traces")
    return tuple(made for each in found if (made := _trace(each))) if isinstance(found, list) else ()


def _trace(trace: Any) -> dict[str, Any] | None:
    """A summary in its own form (`inside/traces.py`); None for anything else."""
    try:
        return {
            "device": str(trace["device"])[:20],
            "counts": {str(name)[:20]: int(count) for name, count in trace["counts"].items()},
            "host_us": float(trace["host_us"]),
            "elapsed_us": float(trace["elapsed_us"]),
            "waits": [
                {"kind": str(w["kind"])[:40], "op": str(w["op"])[:60], "us": float(w["us"])}
                | {"cell": int(w["cell"]), "line": int(w["line"])}
                for w in trace["waits"][:50]
            ],
            "bars": [(str(a)[:40], str(b)[:60], float(c), float(d)) for a, b, c, d in trace["bars"][:500]],
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def seconds(answer: dict[str, Any], most: float) -> float:
    """How long the cell itself took; not longer than the answer did."""
    told = answer.get("seconds")
    return round(min(max(told, 0.0), most), 4) if isinstance(told, float) else round(most, 4)


def imports_of(notebook: NotebookNode) -> dict[str, str]:
    """Names that a lab's source imports outside answers: name -> "module" or "module:attribute".

    They are imported before any submission runs, and tests find the real ones under these names.

    `import torch.nn.functional as F` binds F to the module; `import torch.nn` binds torch.
    """
    found: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code" and labs.kind(cell) != "answer":
            for statement in _statements(cell.source):
                found.update(_bound(statement))
    return found


def _statements(source: str) -> list[ast.stmt]:
    lines = ["pass" if line.lstrip().startswith(("%", "!")) else line for line in source.split("\n")]
    try:
        return ast.parse("\n".join(lines)).body
    except SyntaxError:
        return []


def _bound(statement: ast.stmt) -> dict[str, str]:
    if isinstance(statement, ast.Import):
        return {a.asname or a.name.partition(".")[0]: a.name if a.asname else a.name.partition(".")[0]
                for a in statement.names}  # fmt: skip
    if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        return {a.asname or a.name: f"{statement.module}:{a.name}" for a in statement.names if a.name != "*"}
    return {}


def suspicions(notebook: NotebookNode, runs: list[CellRun]) -> list[str]:
    """For the instructor: what was noticed in which cell, while it ran and by reading it."""
    told: dict[str, str] = {}  # the first cell that each was noticed in
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and labs.kind(cell) in ("answer", ""):
            for trick in reading.tricks(cell.source):
                told.setdefault(trick, notebooks.grade_id(cell) or f"cell {index + 1}")
    for run in runs:
        cell = notebook.cells[run.cell]
        for trick in run.tricks:
            told.setdefault(trick, notebooks.grade_id(cell) or f"cell {run.cell + 1}")
    return [f"{trick} (seen in {where})" for trick, where in told.items()][:_MOST_TOLD]
