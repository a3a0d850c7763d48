"""Test cells, rewritten so that an object of a learner's own class cannot decide them unnoticed.

`protect` turns ==, !=, in, not in and their chains into calls of `Comparer.compare`. That one says "not equal" where
only one side has a learner-made `__eq__` in it, at whatever depth. Two objects of learner-made classes are compared as
their classes say: a test that expects ``Point(1, 2)`` means just that.

It also looks at what cannot be refused without wronging somebody, and remembers it: a difference ``x - 4`` that a
learner's class made, a call of a function of the lab's modules with such an object, and the device, dtype or shape of
an object that is no tensor. Before a statement that uses a lab's module, and at
the end of a ``with`` block, it calls `Comparer.look`.
"""

from __future__ import annotations

import ast
import builtins
import operator
import types
from collections import deque
from collections.abc import Callable, Collection
from typing import Any, TypeVar

globals()["__builtins__"] = dict(
    vars(builtins)
)  # what is defined below looks here, where no learner's code reaches by name

NAME = "__syncpoint_guard__"
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
_OF_TENSORS = ("device", "dtype", "shape")
_OVERRIDES = ("__eq__", "__ne__", "__contains__", "__torch_function__")
_ARITHMETIC = ("__sub__", "__rsub__", "__torch_function__")
_C_CODE = (
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.BuiltinFunctionType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
)
_LENIENT = ("unittest.mock", "_pytest.python_api", "_pytest.approx")  # equal to what nobody could foresee
_PLAIN = (int, float, complex, str, bool, bytes, type(None))
_ROWS: dict[type, Callable[[Any], Any]] = {
    list: list.__iter__, tuple: tuple.__iter__, set: set.__iter__, frozenset: frozenset.__iter__, deque: deque.__iter__
}  # fmt: skip
_MOST = 10_000  # elements looked at


Tree = TypeVar("Tree", ast.Module, ast.Expression)


def protect(tree: Tree, imports: Collection[str] = ()) -> Tree:
    """The same test, guarded. `imports`: names of the lab's modules."""
    return ast.fix_missing_locations(_Rewrite(imports).visit(tree))  # type: ignore[no-any-return]


def _guard(method: str, *values: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load()), list(values), [])


class _Rewrite(ast.NodeTransformer):
    def __init__(self, imports: Collection[str]) -> None:
        self._imports = frozenset(imports)

    def _of_a_module(self, node: ast.AST) -> bool:
        """``sp.checks.waits`` of a lab's module."""
        if not isinstance(node, ast.Attribute):
            return False
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._imports

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list) and not isinstance(node, ast.ClassDef):
                setattr(node, field, [new for old in statements for new in self._looked_at(old)])
        return node

    def _looked_at(self, statement: ast.stmt) -> list[ast.stmt]:
        simple = isinstance(statement, (ast.Expr, ast.Assert, ast.Assign, ast.Return))
        if not simple or not any(self._of_a_module(node) for node in ast.walk(statement)):
            return [statement]
        look = ast.Expr(_guard("look"))
        return [ast.copy_location(look, statement), statement]

    def visit_With(self, node: ast.With) -> ast.AST:
        """A trace must not end in the hands of what a learner put in its place."""
        self.generic_visit(node)
        node.body.append(ast.copy_location(ast.Expr(_guard("look")), node.body[-1]))
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        names = [type(op).__name__ for op in node.ops]
        if not any(name in _GUARDED for name in names):
            return node
        told = ast.Tuple([ast.Constant(name) for name in names], ast.Load())
        return ast.copy_location(_guard("compare", told, node.left, *node.comparators), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Sub):
            return node
        return ast.copy_location(_guard("minus", node.left, node.right), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr in _OF_TENSORS and isinstance(node.ctx, ast.Load) and not self._of_a_module(node):
            node.value = ast.copy_location(_guard("tensor", node.value), node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        known = self._of_a_module(node.func)
        self.generic_visit(node)
        if known:
            node.args = [
                arg if isinstance(arg, (ast.Starred, ast.Constant)) else ast.copy_location(_guard("given", arg), arg)
                for arg in node.args
            ]
        return node


class Comparer:
    """Compares, and remembers what it refused. `theirs(code)` says whether a learner wrote that code object.

    `look`: called between statements; it puts back what was replaced.
    """

    def __init__(self, theirs: Callable[[Any], bool], look: Callable[[], None] = lambda: None) -> None:
        self._theirs = theirs
        self.refused: set[str] = set()
        self.look = look

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
                self._note("compares by a class of its own", made[0] or made[1])
                return name in ("NotEq", "NotIn")
        return _OPERATORS[name](left, right)

    def minus(self, left: Any, right: Any) -> Any:
        """``left - right``."""
        result = left - right
        if type(left) in _PLAIN and type(right) in _PLAIN:
            return result
        made = [kind for kind in (type(left), type(right)) if self._overrides(kind, _ARITHMETIC)]
        if len(made) == 1 and not self._overrides(type(result), _ARITHMETIC):
            self._note("calculates by a class of its own", made[0])
        return result

    def tensor(self, value: Any) -> Any:
        """An object whose device, dtype or shape a test looks at."""
        kind = type(value)
        if kind.__module__.partition(".")[0] in ("torch", "numpy") or types.ModuleType in type.mro(kind):
            return value
        pretends = object.__getattribute__(value, "__class__") is not kind
        if pretends or all(hasattr(value, name) for name in ("device", "shape")):
            self._note("an object stands in for a tensor", kind)
        return value

    def given(self, value: Any) -> Any:
        """An argument of a function of the lab's modules."""
        if type(value) not in _PLAIN and self._overrides(type(value), ("__torch_function__",)):
            self._note("compares by a class of its own", type(value))
        return value

    def _note(self, what: str, kind: type | None) -> None:
        self.refused.add(f"{what}, {type.__dict__['__name__'].__get__(kind)}")

    def _maker(self, value: Any, left: list[int] | None = None) -> type | None:
        """The learner-made class with an `__eq__` of its own that decides about this value, if there is one."""
        left = [_MOST] if left is None else left
        left[0] -= 1
        kind = type(value)
        if left[0] < 0 or kind in _PLAIN:
            return None
        if self._overrides(kind, _OVERRIDES):
            return kind
        return next((found for item in _parts(value, kind) if (found := self._maker(item, left))), None)

    def _overrides(self, kind: type, names: tuple[str, ...]) -> bool:
        for base in type.mro(kind):
            own = type.__getattribute__(base, "__dict__")
            for name in names:
                if self._strange(own.get(name), base):
                    return "__dataclass_params__" not in own or name not in ("__eq__", "__ne__")
        return False

    def _strange(self, found: Any, base: type) -> bool:
        """Whether a method was made by a learner, or is equal to anything by profession."""
        found = getattr(found, "__func__", found) if type(found) in (classmethod, staticmethod) else found
        if found is None or isinstance(found, _C_CODE):
            return False
        if not isinstance(found, types.FunctionType):
            return True  # a callable object, a partialmethod: whose it is, nobody can tell
        return self._theirs(found.__code__) or found.__module__ in _LENIENT or base.__module__ in _LENIENT


def _parts(value: Any, kind: type) -> Any:
    """What a comparison of this value would go on to compare."""
    bases = type.mro(kind)
    for base, elements in _ROWS.items():
        if base in bases:
            return elements(value)
    if dict in bases:
        return (part for pair in dict.items(value) for part in pair)
    own = type.__getattribute__(kind, "__dict__")
    if "__dataclass_params__" in own:
        return list(object.__getattribute__(value, "__dict__").values()) if "__slots__" not in own else ()
    if kind.__module__ == "numpy" and str(getattr(value, "dtype", "")) == "object":
        return value.ravel().tolist()
    return ()
