"""How much two cells say the same: by their words, by the names they define, by the task that they name.

>>> same("x  = 1\\n", "x = 1")
True
>>> round(likeness("def f(x):\\n    return 0", "def f(x):\\n    return x + 1"), 1)
0.9
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from nbformat import NotebookNode

from autograder import labs

LONGEST = 4000  # characters that are compared; a cell of a lab has some hundreds
_DEFINED = re.compile(r"^(?:async\s+def|def|class)\s+(\w+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^(\w+)\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE)


def words(text: str) -> tuple[str, ...]:
    """The text without its white space, which editors change as they like."""
    return tuple(text.split())


def same(one: str, other: str) -> bool:
    """Is it the same text, white space aside?"""
    return words(one) == words(other)


def public(cell: NotebookNode) -> str:
    """A lab's cell as learners see it: without the lines of hidden tests."""
    try:
        hidden = labs.hidden_lines(cell.source)
    except ValueError:  # markers without partners: a learner's cell
        return str(cell.source)
    return "\n".join(line for number, line in enumerate(cell.source.split("\n"), 1) if number not in hidden)


def likeness(one: str, other: str) -> float:
    """0 (nothing in common) to 1 (the same)."""
    matcher = SequenceMatcher(None, one[:LONGEST], other[:LONGEST], autojunk=False)
    if matcher.real_quick_ratio() < 0.5 or matcher.quick_ratio() < 0.5:
        return 0.0
    return matcher.ratio()


def defined(text: str) -> set[str]:
    """The functions and classes that a cell defines at its left margin."""
    return set(_DEFINED.findall(text))


def bound(text: str) -> set[str]:
    """Those, and the names it gives a value there."""
    return defined(text) | set(_ASSIGNED.findall(text))


def task(cell: NotebookNode) -> str | None:
    """The number of the task that a code cell names in a comment."""
    if cell.cell_type not in ("code", "raw", "markdown"):
        return None
    found = labs.own_task(NotebookNode(cell_type="code", source=cell.source, metadata=NotebookNode()))
    return found.number if found else None
