"""What can be seen in a learner's cell by reading it, without running it: names that no exercise needs.

It is easy to get round, and never decides about points. It tells a human where to look; what happens while a cell runs
is noticed by `autograder.inside`.

    >>> tricks("from syncpoint.sim.machine import machine")
    ['reaches into syncpoint.sim, syncpoint.sim.machine']
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

_SIM_FACE = {"use", "aside", "chips", "Chip", "enable", "is_enabled", "sim"}
_SIM = re.compile(r"syncpoint\.sim\.(\w+)")
#: What reaches memory or a library; the types of ctypes (c_float and such) alone reach nothing.
_C = {"CDLL", "PyDLL", "cdll", "pydll", "pythonapi", "memmove", "memset", "cast", "py_object", "string_at"}


def tricks(source: str) -> list[str]:
    """What the cell reaches for, in words."""
    found = []
    for node in ast.walk(_parsed(source)):
        found += list(_of(node))
    return list(dict.fromkeys(found))


def _parsed(source: str) -> ast.AST:
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\\d" in a learner's string is no matter of ours
            return ast.parse(TransformerManager().transform_cell(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])  # it will not run either


def _of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (told for alias in node.names for told in _module(alias.name))
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (told for alias in node.names for told in _module(f"{node.module}.{alias.name}"))
    elif isinstance(node, ast.Attribute):
        yield from _module(_dotted(node))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if _SIM.fullmatch(node.value):
            yield from _module(node.value)
    elif isinstance(node, ast.keyword) and node.arg == "pass_fds":
        yield "hands its open files to another process"
    elif isinstance(node, ast.ClassDef):
        yield from _class(node)


def _dotted(node: ast.AST) -> str:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join(["syncpoint" if node.id == "sp" else node.id, *names])


def _module(name: str) -> Iterator[str]:
    found = _SIM.match(name)
    if found and found[1] not in _SIM_FACE:
        yield f"reaches into syncpoint.sim, {found[0]}"
    parts = name.split(".")
    if parts[0] == "autograder":
        yield f"reaches into the autograder, {name}"
    if parts[0] == "cffi" or parts[0] in ("ctypes", "_ctypes") and len(parts) > 1 and parts[1] in _C:
        yield "calls C code directly"


def _class(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        named = [target.id for target in getattr(statement, "targets", []) if isinstance(target, ast.Name)]
        if getattr(statement, "name", "") == "__class__" or "__class__" in named:
            yield f"has a class that says it is another one, {node.name}"
