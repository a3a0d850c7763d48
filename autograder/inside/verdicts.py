"""A test cell, run so that what learners changed cannot decide it.

It is compiled here, not by IPython: transformers, magics, tags and a replaced `run_cell` do not touch it. It runs in a
namespace of its own, which holds the learner's names except those that hide a builtin or a module that the lab itself
imports; builtins are those from before the learner's first line. Patched functions are put back first (`pristine`),
and comparisons do not trust a learner's `__eq__` (`exact`).

What it cannot prevent: code in the same interpreter that knows this file and rewrites this process's memory. The
trusted side looks for traces of that, and the guide says so.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import types
from collections.abc import Callable
from typing import Any

from autograder.inside.exact import NAME, Comparer, protect
from autograder.inside.modes import end_modes
from autograder.inside.pristine import Pristine

globals()["__builtins__"] = dict(
    vars(builtins)
)  # what is defined below looks here, where no learner's code reaches by name

_parse, _compile, _eval, _repr = ast.parse, compile, eval, repr  # before anybody can replace them
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_PLAIN = (int, float, bool, str, bytes, type(None))


class Bench:
    """Where test cells run.

    `imports`: names that the lab imports -> "module" or "module:attribute". `name(source, number)` gives a test
    the file name of its code; `theirs(code)` says whether a learner wrote that code object.
    """

    def __init__(self, imports: dict[str, str], name: Callable[[str, int], str], theirs: Callable[[Any], bool]) -> None:
        self.pristine = Pristine.take()
        self._restore, self._restore_quickly = self.pristine.restore, self.pristine.quick
        self._builtins = dict(vars(builtins))
        self._imports = imports
        self._name = name
        self._theirs = theirs
        self._space: dict[str, Any] = {}
        self._given: dict[str, Any] = {}  # names as the tests last saw them
        self.tricks: list[str] = []

    def test(self, source: str, number: int, names: dict[str, Any]) -> str:
        """Run a test cell; the text of its last expression's value. Raises what the test raises.

        `tricks` then holds, in words, what looks like an attempt to pass without a right answer. Call `look` before
        and after: what learners replaced must not be there.
        """
        self.tricks = []
        comparer = Comparer(self._theirs, self._look_quickly)
        space = self._prepare(names)
        space[NAME] = comparer
        try:
            return self._run(source, number, space)
        finally:
            self._give_back(names, space)
            self.tricks += sorted(comparer.refused)

    def look(self, during_a_test: bool = False) -> list[str]:
        """Put back what was replaced, end modes that answer for PyTorch; what that was, in words."""
        return self._told(self._restore(), during_a_test)

    def _look_quickly(self) -> None:
        self.tricks += self._told(self._restore_quickly(), during_a_test=True)

    def _told(self, replaced: list[str], during_a_test: bool) -> list[str]:
        when = " while a test ran" if during_a_test else ""
        modes = [f"answers for PyTorch by a mode of its own, {name}" for name in end_modes(self._theirs)]
        return [f"replaced {name}{when}" for name in replaced] + modes

    def _run(self, source: str, number: int, space: dict[str, Any]) -> str:
        name = self._name(source, number)
        tree = _parse(source, name)
        end = tree.body[-1] if tree.body else None
        last = end if isinstance(end, ast.Expr) else None
        tree.body = tree.body[:-1] if last else tree.body
        self._step(_compile(protect(tree, self._imports), name, "exec", flags=_FLAGS, dont_inherit=True), space)
        if last is None:
            return ""
        ending = protect(ast.Expression(last.value), self._imports)
        self._look_quickly()
        value = self._step(_compile(ending, name, "eval", flags=_FLAGS, dont_inherit=True), space)
        return "" if value is None else self._text(value)

    @staticmethod
    def _step(code: types.CodeType, space: dict[str, Any]) -> Any:
        value = _eval(code, space)
        if code.co_flags & inspect.CO_COROUTINE:  # a test may await
            return asyncio.run(value)
        return value

    def _text(self, value: Any) -> str:
        if type(value).__module__ == "numpy" and type(value).__name__ in ("float64", "int64", "float32", "bool"):
            value = value.item()  # a score that was added up from a learner's NumPy numbers
        if type(value) in _PLAIN:
            return _repr(value)
        if any(self._theirs(getattr(f, "__code__", None)) for f in (type(value).__repr__, type(value).__str__)):
            return f"an object of the learner's class {type(value).__name__}"
        return _repr(value)[:1000]

    def _prepare(self, names: dict[str, Any]) -> dict[str, Any]:
        """The namespace for one test: what stands in the notebook now, minus what would mislead."""
        space = self._space
        fresh = {k: v for k, v in names.items() if k not in self._builtins or k.startswith("_")}
        for gone in self._given.keys() - fresh.keys():
            space.pop(gone, None)
        space.update(fresh)
        for name, where in self._imports.items():
            module, _, attribute = where.partition(":")
            found = self.pristine.modules.get(module)
            if found is not None:
                space[name] = getattr(found, attribute) if attribute else found
        space["__builtins__"] = dict(self._builtins)
        self._given = fresh
        return space

    def _give_back(self, names: dict[str, Any], space: dict[str, Any]) -> None:
        """Names that the test made or changed are the notebook's from now on, as in a kernel."""
        for key, value in space.items():
            if key in ("__builtins__", NAME) or key in self._imports:
                continue
            if key not in self._given or self._given[key] is not value:
                names[key] = value
                self._given[key] = value
