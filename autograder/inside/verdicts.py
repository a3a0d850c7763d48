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
from autograder.inside.pristine import Pristine

_parse, _compile, _eval, _repr = ast.parse, compile, eval, repr  # before anybody can replace them
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_PLAIN = (int, float, bool, str, bytes, type(None))


class Bench:
    """Where test cells run.

    `imports`: names that the lab imports -> "module" or "module:attribute". `cache(source, number)` gives the file
    name under which tracebacks find a cell's text; `theirs(code)` says whether a learner wrote that code object.
    """

    def __init__(
        self, imports: dict[str, str], cache: Callable[[str, int], str], theirs: Callable[[Any], bool]
    ) -> None:
        self.pristine = Pristine.take()
        self._builtins = dict(vars(builtins))
        self._imports = imports
        self._cache = cache
        self._theirs = theirs
        self._space: dict[str, Any] = {}
        self._given: dict[str, Any] = {}  # names as the tests last saw them
        self.tricks: list[str] = []

    def test(self, source: str, number: int, names: dict[str, Any]) -> str:
        """Run a test cell; the text of its last expression's value. Raises what the test raises.

        `tricks` then holds, in words, what looks like an attempt to pass without a right answer.
        """
        self.tricks = [f"replaced {name}" for name in self.pristine.restore()]
        comparer = Comparer(self._theirs)
        space = self._prepare(names)
        space[NAME] = comparer.compare
        try:
            return self._run(source, number, space)
        finally:
            self._give_back(names, space)
            self.tricks += [f"compares by a class of its own, {name}" for name in sorted(comparer.refused)]
            self.tricks += [f"replaced {name} while a test ran" for name in self.pristine.restore()]

    def _run(self, source: str, number: int, space: dict[str, Any]) -> str:
        name = self._cache(source, number)
        tree = _parse(source, name)
        end = tree.body[-1] if tree.body else None
        last = end if isinstance(end, ast.Expr) else None
        tree.body = tree.body[:-1] if last else tree.body
        self._step(_compile(protect(tree), name, "exec", flags=_FLAGS, dont_inherit=True), space)
        if last is None:
            return ""
        ending = protect(ast.Expression(last.value))
        value = self._step(_compile(ending, name, "eval", flags=_FLAGS, dont_inherit=True), space)
        return "" if value is None else self._text(value)

    @staticmethod
    def _step(code: types.CodeType, space: dict[str, Any]) -> Any:
        value = _eval(code, space)
        if code.co_flags & inspect.CO_COROUTINE:  # a test may await
            return asyncio.run(value)
        return value

    def _text(self, value: Any) -> str:
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
