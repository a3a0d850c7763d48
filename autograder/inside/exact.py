"""Comparisons in test cells that an object with an `__eq__` of its own cannot decide.

`protect` rewrites ==, !=, in and not in of a test cell into calls of `Comparer.compare`. That one says "not equal"
where only one side has a learner-made `__eq__` in it, at whatever depth. Two objects of learner-made classes are
compared as their classes say: a test that expects ``Point(1, 2)`` means just that.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, TypeVar

NAME = "__syncpoint_compare__"
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda a, b: a in b,
    "NotIn": lambda a, b: a not in b,
}
_GUARDED = ("Eq", "NotEq", "In", "NotIn")
_MOST = 10_000  # elements looked at


Tree = TypeVar("Tree", ast.Module, ast.Expression)


def protect(tree: Tree) -> Tree:
    """The same test with its comparisons guarded."""
    return ast.fix_missing_locations(_Rewrite().visit(tree))  # type: ignore[no-any-return]


class _Rewrite(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        names = [type(op).__name__ for op in node.ops]
        if not any(name in _GUARDED for name in names):
            return node
        function = ast.Name(NAME, ast.Load())
        told = ast.Tuple([ast.Constant(name) for name in names], ast.Load())
        return ast.copy_location(ast.Call(function, [told, node.left, *node.comparators], []), node)


class Comparer:
    """Compares, and remembers what it refused. `theirs(code)` says whether a learner wrote that code object."""

    def __init__(self, theirs: Callable[[Any], bool]) -> None:
        self._theirs = theirs
        self.refused: set[str] = set()

    def compare(self, names: tuple[str, ...], *values: Any) -> Any:
        """``a == b``, or a chain like ``0 <= a == b``."""
        result: Any = True
        for name, left, right in zip(names, values, values[1:], strict=False):
            result = self._one(name, left, right)
            if len(names) > 1 and not result:
                return result
        return result

    def _one(self, name: str, left: Any, right: Any) -> Any:
        if name in _GUARDED:
            made = self._maker(left), self._maker(right)
            if (made[0] is None) != (made[1] is None):
                strange = made[0] or made[1]
                assert strange is not None
                self.refused.add(strange.__name__)
                return name in ("NotEq", "NotIn")
        return _OPERATORS[name](left, right)

    def _maker(self, value: Any, left: list[int] | None = None) -> type | None:
        """The learner-made class with an `__eq__` of its own that decides about this value, if there is one."""
        left = [_MOST] if left is None else left
        left[0] -= 1
        kind = type(value)
        if left[0] < 0 or kind in (int, float, str, bool, bytes, type(None)):
            return None
        if self._overrides(kind):
            return kind
        if kind in (list, tuple, set, frozenset):
            return next((found for item in value if (found := self._maker(item, left))), None)
        if kind is dict:
            return next((found for pair in value.items() if (found := self._maker(list(pair), left))), None)
        return None

    def _overrides(self, kind: type) -> bool:
        for base in type.mro(kind):
            own = type.__getattribute__(base, "__dict__")
            for name in ("__eq__", "__ne__", "__contains__", "__torch_function__"):
                found = own.get(name)
                found = getattr(found, "__func__", found)
                if found is not None and self._theirs(getattr(found, "__code__", None)):
                    return "__dataclass_params__" not in own
        return False
